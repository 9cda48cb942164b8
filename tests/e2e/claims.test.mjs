// Claims: their marks, their sources, and where links lead.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Lab } from "./lab.mjs";

let lab;
before(async () => {
  lab = await Lab.start();
});
after(() => lab?.close());


test("a claim tells on demand what its mark means and where it is from, asking nobody", async () => {
  const visit = await lab.open("page=order&lang=en");
  await visit.textReady();
  const claim = visit.page.locator('.claim[data-mark="M"]').first();
  assert.equal(await claim.locator("li").first().isVisible(), false);
  await claim.locator("summary").click();
  const paper = claim.locator("li a").first();
  assert.match(await paper.getAttribute("href"), /^https:\/\/arxiv\.org\/abs\/\d/);
  assert.equal(await paper.getAttribute("target"), "_blank");
  assert.equal(await paper.getAttribute("rel"), "noreferrer");
  assert.doesNotMatch(await paper.innerText(), /\d{4}\.\d{4,5}/);
  visit.assertClean();
  await visit.close();
});

test("marks differ in more than colour; what is stated names its source", async () => {
  const visit = await lab.open("page=absolute&lang=en");
  await visit.textReady();
  const { page } = visit;
  const looks = new Map();
  for (const mark of ["E", "M", "S", "C", "F"]) {
    const badge = page.locator(`.claim[data-mark="${mark}"] .badge`).first();
    if ((await badge.count()) === 0) continue;
    assert.equal(await badge.innerText(), mark);
    looks.set(mark, await badge.evaluate((e) => {
      const s = getComputedStyle(e);
      return [s.borderTopStyle, s.borderTopWidth, s.textDecorationLine].join();
    }));
  }
  assert.ok(looks.has("S"));
  assert.equal(new Set(looks.values()).size, looks.size, JSON.stringify([...looks]));
  const stated = page.locator('.claim[data-mark="S"]').first();
  await stated.locator("summary").click();
  assert.match(await stated.locator("li a").first().getAttribute("href"), /^https:\/\//);
  visit.assertClean();
  await visit.close();
});

test("what is false leads to the figure that refutes it, in the same tab, with what is set", async () => {
  const visit = await lab.open("page=rope&lang=en&base=500");
  await visit.textReady();
  const { page } = visit;
  const claim = page.locator('.claim[data-mark="F"]').first();
  await claim.locator("summary").click();
  const link = claim.locator("a[data-to]").first();
  const figure = await link.getAttribute("data-to");
  await page.waitForFunction(
    (to) => document.querySelector(`.claim a[data-to="${to}"]`).getAttribute("href").includes("base=500"),
    figure,
  );
  assert.equal(await link.getAttribute("target"), null);
  await link.click();
  await page.waitForFunction((id) => document.activeElement.id === id, figure);
  assert.match(page.url(), /base=500/);
  visit.assertClean();
  await visit.close();
});
