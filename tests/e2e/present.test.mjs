// The presentation: one figure at a time, led by keys.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Lab } from "./lab.mjs";

let lab;
before(async () => {
  lab = await Lab.start();
});
after(() => lab?.close());

// Some of the text is folded.

test("the presentation shows one figure at a time and is led by keys", async () => {
  const visit = await lab.open("page=absolute&lang=en");
  await visit.textReady();
  const { page } = visit;
  await page.locator(".menu summary").click();
  await page.locator(".menu .present").click();
  await page.waitForFunction(() => location.search.includes("present=1"));
  const shown = () => page.locator("[data-figure]").evaluateAll((all) => all.map((f) => f.dataset.figure).join());
  await visit.figure("pe-waves").waitFor();
  assert.equal(await shown(), "pe-waves");
  assert.equal(await page.locator("header").isVisible(), false);
  await page.evaluate(() => document.activeElement.blur());
  // A key on first reveals what the question asks, then goes on; a key back only goes back.
  const veiled = () => page.locator("[data-figure] .results").first().evaluate((e) => e.classList.contains("veiled"));
  assert.equal(await veiled(), true);
  for (const [key, figure, asks] of [
    ["ArrowRight", "pe-waves", false],
    ["ArrowRight", "pe-matrix", true],
    ["PageDown", "pe-matrix", false],
    [" ", "pe-shift", true],
    ["PageUp", "pe-matrix", false],
    ["ArrowLeft", "pe-waves", false],
    ["PageDown", "pe-matrix", false],
  ]) {
    await page.keyboard.press(key);
    await visit.figure(figure).waitFor();
    await visit.settled();
    assert.equal(await shown(), figure, key);
    assert.equal(await veiled(), asks, `${figure} ${key}`);
  }
  // A point on the screen shows something to a room.
  await page.keyboard.press(".");
  await page.locator(".spot").waitFor();
  await page.keyboard.press(".");
  assert.equal(await page.locator(".spot").count(), 0);
  // In a field keys are for writing; on a canvas arrows move the traced cell.
  await page.locator("#pe-matrix-seq_len").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("PageDown");
  assert.equal(await shown(), "pe-matrix");
  await visit.figure("pe-matrix").locator("canvas").focus();
  await page.keyboard.press("ArrowRight");
  assert.equal(await shown(), "pe-matrix");
  await page.keyboard.press("Escape");
  await page.locator("header").waitFor();
  assert.equal((await shown()).split(",").length, 4);
  await page.waitForFunction(() => !location.search.includes("present=1"));
  visit.assertClean();
  await visit.close();
});

test("the presentation goes on to the next page and back", async () => {
  const visit = await lab.open("page=order&lang=en&present=1");
  const { page } = visit;
  await visit.question("order-swap").waitFor();
  // Each figure of the page: its answer, then the next.
  for (let k = 0; k < 8 && (await visit.figure("pe-waves").count()) === 0; k += 1) {
    await page.keyboard.press("PageDown");
    await visit.settled();
  }
  await visit.figure("pe-waves").waitFor();
  await page.keyboard.press("PageUp");
  await page.locator("[data-figure]").first().waitFor();
  assert.notEqual(await page.locator("[data-figure]").first().getAttribute("data-figure"), "pe-waves");
  visit.assertClean();
  await visit.close();
});
