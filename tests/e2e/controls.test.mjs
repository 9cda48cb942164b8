// What moves a figure: sliders and fields, the pointer, keys, films; and what the address keeps of it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Lab } from "./lab.mjs";

let lab;
before(async () => {
  lab = await Lab.start();
});
after(() => lab?.close());

test("a slider and a number field move the figure and the address; wrong entries are explained", async () => {
  const visit = await lab.open("page=absolute&lang=en");
  const { page } = visit;
  const figure = visit.figure("pe-matrix");
  const number = figure.locator("#pe-matrix-seq_len");
  const rev = Number(await figure.getAttribute("data-rev"));
  await number.fill("128");
  await number.press("Enter");
  await page.waitForFunction(() => location.search.includes("seq_len=128"));
  await figure.scrollIntoViewIfNeeded();
  await page.waitForFunction(
    (before) => Number(document.querySelector('[data-figure="pe-matrix"]').dataset.rev) > before,
    rev,
  );
  const slider = figure.locator('[data-slider="pe-matrix-seq_len"]');
  await slider.focus();
  await slider.press("ArrowRight");
  await page.waitForFunction(() => !location.search.includes("seq_len=128"));
  for (const [typed, told, used] of [
    ["1e999", /out of range/, "8192"],
    ["abc", /not a number/, "64"],
    ["-3", /out of range/, "1"],
    ["2.5", /whole/, "2"],
  ]) {
    await number.fill(typed);
    await number.press("Enter");
    await figure.locator("#pe-matrix-seq_len-wrong").getByText(told).waitFor();
    assert.equal(await number.inputValue(), used);
  }
  await figure.locator("#pe-matrix-d_model").fill("7");
  await figure.locator("#pe-matrix-d_model").press("Enter");
  await figure.locator("#pe-matrix-d_model-wrong").getByText(/even/).waitFor();
  visit.assertClean();
  await visit.close();
});

test("the address is replaced at most four times a second, and ends with the last value", async () => {
  const visit = await lab.open("page=absolute", {
    before: (page) =>
      page.addInitScript(() => {
        globalThis.writes = [];
        const replace = history.replaceState.bind(history);
        history.replaceState = (...all) => {
          globalThis.writes.push(performance.now());
          replace(...all);
        };
      }),
  });
  const { page } = visit;
  const length = await page.evaluate(() => history.length);
  await page.evaluate(async () => {
    const slider = document.querySelector('[data-slider="pe-matrix-seq_len"]');
    for (let value = 100; value < 160; value += 1) {
      slider.value = value;
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      await new Promise((next) => setTimeout(next, 16));
    }
  });
  await page.waitForFunction(
    () => new URLSearchParams(location.search).get("seq_len") === document.querySelector("#pe-matrix-seq_len").value,
  );
  const writes = await page.evaluate(() => globalThis.writes);
  for (let k = 4; k < writes.length; k += 1) {
    assert.ok(writes[k] - writes[k - 4] > 950, `five writes within ${writes[k] - writes[k - 4]} ms`);
  }
  const shown = await page.locator("#pe-matrix-seq_len").inputValue();
  assert.equal(new URL(page.url()).searchParams.get("seq_len"), shown);
  assert.equal(await page.evaluate(() => history.length), length, "a slider adds no history");
  visit.assertClean();
  await visit.close();
});

test("pointing shows a value, a tap traces a cell, arrow keys move it", async () => {
  const visit = await lab.open("page=absolute&lang=en");
  const { page } = visit;
  const figure = visit.figure("pe-matrix");
  const canvas = figure.locator("canvas");
  // While the question is asked, what it asks is hidden from the pointer too.
  await figure.locator("[data-question] button.quiet").click();
  await canvas.scrollIntoViewIfNeeded();
  await canvas.hover({ position: { x: 300, y: 200 } });
  await figure.locator(".tip").getByText(/PE\(pos = \d+, dim = \d+\)/).waitFor();
  await canvas.click({ position: { x: 300, y: 200 } });
  await page.waitForFunction(() => new URLSearchParams(location.search).has("pos"));
  const { pos, dim } = Object.fromEntries(new URL(page.url()).searchParams);
  await canvas.focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(
    ([p, d]) => {
      const now = new URLSearchParams(location.search);
      return now.get("pos") === String(p) && now.get("dim") === String(d);
    },
    [Number(pos) + 1, Number(dim) + 1],
  );
  const angle = (Number(pos) + 1) * 10000 ** (-2 * Math.floor((Number(dim) + 1) / 2) / 64);
  const wanted = (Number(dim) + 1) % 2 === 0 ? Math.sin(angle) : Math.cos(angle);
  await page.waitForFunction(
    (value) => {
      const cell = document.querySelector('[data-figure="pe-matrix"] [data-value="cell"]');
      return Math.abs(Number(cell.dataset.number) - value) < 1e-12;
    },
    wanted,
  );
  visit.assertClean();
  await visit.close();
});

test("the bias is edited with the pointer and kept in the address", async () => {
  const visit = await lab.open("page=relative&bias=zero");
  const canvas = visit.figure("rel-bias").locator("canvas");
  const question = visit.figure("rel-bias").locator("[data-question] button.quiet");
  await canvas.scrollIntoViewIfNeeded();
  let { width, height } = await canvas.boundingBox();
  // What is hidden is not edited: keys after the query, at the left.
  await question.waitFor();
  await canvas.click({ position: { x: width * 0.3, y: height * 0.3 } });
  await visit.settled();
  assert.doesNotMatch(visit.page.url(), /bias_edits/);
  await question.click();
  await visit.settled();
  await canvas.scrollIntoViewIfNeeded();
  ({ width, height } = await canvas.boundingBox());
  await canvas.click({ position: { x: width * 0.6, y: height * 0.3 } });
  await visit.page.waitForFunction(() => new URLSearchParams(location.search).has("bias_edits"));
  assert.match(new URL(visit.page.url()).searchParams.get("bias_edits"), /^0:\d+:-?[\d.]+$/);
  // Typed, for the traced pair of positions: i − j = 2, column 18 of the table.
  const typed = visit.page.locator("#rel-bias-bias-value");
  await typed.fill("1.25");
  await typed.press("Enter");
  await visit.page.waitForFunction(() => location.search.includes("0%3A18%3A1.25"));
  await visit.page.waitForFunction(
    () => document.querySelector('[data-figure="rel-bias"] [data-value="bias"]')?.dataset.number === "1.25",
  );
  await typed.fill("much");
  await typed.press("Enter");
  await visit.page.locator("#rel-bias-bias-value-wrong").getByText("much").waitFor();
  visit.assertClean();
  await visit.close();
});

test("a film plays when asked to, and stops", async () => {
  const visit = await lab.open("page=rope&lang=en", { motion: false });
  const play = visit.figure("rope-circles").locator(".play");
  const pos = visit.page.locator("#rope-circles-pos");
  const before = await pos.inputValue();
  await visit.settled();
  assert.equal(await pos.inputValue(), before, "nothing plays by itself");
  await play.click();
  await visit.page.waitForFunction((was) => document.querySelector("#rope-circles-pos").value !== was, before);
  await play.click();
  const stopped = await pos.inputValue();
  await visit.settled();
  assert.equal(await pos.inputValue(), stopped);
  visit.assertClean();
  await visit.close();
});

test("a figure that is first seen moves once, and ends where it began; an address never changes by itself", async () => {
  const visit = await lab.open("page=rope&lang=en");
  const { page } = visit;
  await visit.question("rope-base-first").getByText("Just show me").click();
  const canvas = visit.figure("rope-circles").locator("canvas");
  await canvas.scrollIntoViewIfNeeded();
  // Pictures of a second of the film.
  const pictures = await canvas.evaluate(async (c) => {
    const seen = new Set();
    for (const end = performance.now() + 1500; performance.now() < end; ) {
      await new Promise((next) => requestAnimationFrame(next));
      seen.add(c.getContext("2d").getImageData(0, 0, c.width, c.height).data.reduce((a, b, k) => (a * 31 + b * k) | 0, 7));
    }
    return seen.size;
  });
  assert.ok(pictures > 5, `${pictures} pictures`);
  await visit.settled();
  assert.equal(await page.locator("#rope-circles-pos").inputValue(), "3");
  assert.doesNotMatch(page.url(), /pos=/);
  visit.assertClean();
  await visit.close();
});

test("tokens are put into another order by the keys and by the pointer", async () => {
  const visit = await lab.open("page=order&lang=zh");
  const { page } = visit;
  const row = page.locator('[data-tokens="text_b"] button');
  const words = () => row.allInnerTexts();
  const before = await words();
  await row.nth(0).focus();
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => document.activeElement.id === "order-swap-text_b-token-1");
  assert.deepEqual(await words(), [before[1], before[0], ...before.slice(2)]);
  await page.waitForFunction(() => new URLSearchParams(location.search).has("text_b"));
  const [from, to] = [await row.nth(0).boundingBox(), await row.nth(2).boundingBox()];
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 8 });
  await page.mouse.up();
  assert.deepEqual(await words(), [before[0], before[2], before[1]]);
  visit.assertClean();
  await visit.close();
});
