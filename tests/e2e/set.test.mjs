// Text that sets: links of the text and walks beside the figures, and the step back.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Lab } from "./lab.mjs";

let lab;
before(async () => {
  lab = await Lab.start();
});
after(() => lab?.close());


test("links of the text set the bench, and one step leads back", async () => {
  const visit = await lab.open("page=order&lang=en&d_model=32");
  const { page } = visit;
  const link = page.locator("a.set:visible").first();
  await link.waitFor();
  const wanted = new URLSearchParams(await link.getAttribute("data-set"));
  await link.click();
  const set = () => page.waitForFunction((all) => {
    const now = new URLSearchParams(location.search);
    return all.every(([name, value]) => now.get(name) === value);
  }, [...wanted]);
  await set();
  await page.locator(".undo button").click();
  await page.waitForFunction(([[name, value]]) => new URLSearchParams(location.search).get(name) !== value, [...wanted]);
  assert.match(page.url(), /d_model=32/);
  visit.assertClean();
  await visit.close();
});

test("a link followed, or a page gone to, while numbers still run finds them where they were going to be", async () => {
  const visit = await lab.open("page=rope&lang=en");
  const { page } = visit;
  await page.locator("a.set").first().waitFor({ state: "attached" });
  const asked = () => page.evaluate(() => Object.fromEntries(new URLSearchParams(location.search)));
  // Two links, one at once after the other: what is taken back is the second.
  const follow = (queries) =>
    page.evaluate((queries) => {
      const link = document.querySelector("a.set");
      for (const query of queries) {
        link.dataset.set = query;
        link.click();
      }
    }, queries);
  const has = (wanted) =>
    page.waitForFunction((wanted) => {
      const now = new URLSearchParams(location.search);
      return wanted.every(([name, value]) => now.get(name) === value);
    }, Object.entries(wanted));
  await follow(["i=40&j=30", "i=60"]);
  await has({ i: "60", j: "30" });
  await page.locator(".undo button").click();
  await has({ i: "40", j: "30" });
  // A slider that is moved meanwhile keeps what the visitor gives it; the rest runs on.
  await page.evaluate(() => {
    const link = document.querySelector("a.set");
    link.dataset.set = "i=10&j=5";
    link.click();
    const slider = document.querySelector("#rope-rotate-i").closest(".field").querySelector('input[type="range"]');
    slider.value = "33";
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await has({ i: "33", j: "5" });
  await visit.settled();
  assert.equal((await asked()).i, "33");
  // Another page shows what the text has set, not what was on the way.
  await page.evaluate(() => {
    const link = document.querySelector("a.set");
    link.dataset.set = "seq_len=100";
    link.click();
    document.querySelector('nav a[href*="page=context"]').click();
  });
  await has({ page: "context", seq_len: "100" });
  // Nor does it run on behind a step back in the history.
  await page.goBack();
  await has({ page: "rope" });
  visit.assertClean();
  await visit.close();
});

test("a walk beside a figure comes with the answer; its steps set the bench, by keyboard, and can be taken back", async () => {
  const visit = await lab.open("page=rope&lang=en");
  const { page } = visit;
  const figure = visit.figure("rope-rotate");
  const steps = figure.locator("details.steps");
  await visit.question("rope-shift-both").waitFor();
  assert.equal(await steps.isVisible(), false);
  await visit.question("rope-shift-both").locator("button.quiet").click();
  await steps.locator("summary").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => /[?&]i=6&/.test(location.search) && /[?&]j=2&/.test(location.search));
  await page.locator(".undo button").click();
  await page.waitForFunction(() => !/[?&]i=6&/.test(location.search));
  // The traced cell in a formula with its numbers, and in its line of code.
  await figure.locator("details.cell summary").click();
  await page.waitForFunction(
    () => document.querySelector('#rope-rotate .one-formula [data-live="offset"]')?.textContent === "2",
  );
  await figure.getByText("cell = (3 - 1) * inv_freq[2]").waitFor();
  visit.assertClean();
  await visit.close();
});

test("the steps of a walk, one after another, set what the figure states, and are taken back, by keyboard", async () => {
  const walks = [
    ["rope", "rope-score", "mean-cosine", [0.737, 0.477, 0.477, 0.477, 0.159]],
    ["multimodal", "mrope-grid", "ids", [8, 11, 15, 11, 20]],
  ];
  for (const [id, name, number, wanted] of walks) {
    const visit = await lab.open(`page=${id}&lang=en`);
    const { page } = visit;
    const figure = visit.figure(name);
    const steps = figure.locator("details.steps");
    await figure.locator("[data-question] button.quiet").focus();
    await page.keyboard.press("Enter");
    await steps.locator("summary").focus();
    await page.keyboard.press("Enter");
    const states = async (value) =>
      page.waitForFunction(
        ([figure, name, value]) => {
          const shown = document.querySelector(`[data-figure="${figure}"] [data-value="${name}"]`);
          return Math.abs(Number(shown?.dataset.number) - value) < 1e-3;
        },
        [name, number, value],
      );
    const changed = (from) => page.waitForFunction((from) => location.search !== from, from);
    for (const value of wanted) {
      const before = await page.evaluate(() => location.search);
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await changed(before);
      await states(value);
    }
    await page.locator(".undo button").focus();
    await page.keyboard.press("Enter");
    await states(wanted.at(-2));
    visit.assertClean();
    await visit.close();
  }
});
