// Answers that are put into the drawing: with the pointer, by keyboard and by touch.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Lab } from "./lab.mjs";

let lab;
before(async () => {
  lab = await Lab.start();
});
after(() => lab?.close());

const value = (slider) => slider.evaluate((s) => Number(s.value));

/** Points of a part of a canvas, row by row: left, top, width and height as parts of it. */
async function* points(canvas, [left, top, wide, high], steps = 12) {
  const box = await canvas.boundingBox();
  for (let row = 0; row < steps; row++) {
    for (let column = 0; column < steps; column++) {
      yield [
        box.x + box.width * (left + (wide * (column + 0.5)) / steps),
        box.y + box.height * (top + (high * (row + 0.5)) / steps),
      ];
    }
  }
}

test("a hand is set by dragging it; whether it is right is said, and both hands are drawn", async () => {
  const visit = await lab.open("page=rope&lang=en");
  const { page } = visit;
  const asked = visit.question("rope-base-first");
  const slider = asked.locator(".put input");
  await slider.waitFor();
  const canvas = visit.figure("rope-circles").locator("canvas");
  assert.equal(await visit.figure("rope-circles").locator(".results").isVisible(), false);
  // Three positions, a radian each: 171.9°.
  let set = false;
  await page.mouse.move(...(await points(canvas, [0.02, 0.15, 0.2, 0.3]).next()).value);
  await page.mouse.down();
  for await (const point of points(canvas, [0.02, 0.15, 0.2, 0.3])) {
    await page.mouse.move(...point);
    set = Math.abs((await value(slider)) - 172) < 9;
    if (set) break;
  }
  await page.mouse.up();
  assert.ok(set, `the hand stands at ${await value(slider)}°`);
  // What is set is no tap on the circle.
  assert.doesNotMatch(page.url(), /dim=/);
  await asked.getByText("This is my answer").click();
  await asked.locator('.verdict[data-right="true"]').waitFor();
  await visit.figure("rope-circles").locator(".results").waitFor({ state: "visible" });
  assert.equal(await asked.locator(".put").count(), 0);
  visit.assertClean();
  await visit.close();
});

test("the ends of a curve are put by keyboard; a wrong one is told with the right one, and stays answered", async () => {
  const visit = await lab.open("page=context&lang=en");
  const { page } = visit;
  const asked = visit.question("context-ntk-ends");
  const [first, last] = [0, 1].map((k) => asked.locator(".put input").nth(k));
  await first.focus();
  await page.keyboard.press("End");
  assert.equal(await value(first), 0);
  assert.equal(await first.getAttribute("aria-valuetext"), "1");
  await page.keyboard.press("Tab");
  await page.keyboard.press("End");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await asked.locator('.verdict[data-right="false"]').waitFor();
  await asked.getByText("Last pair, times its frequency: you have 1, it is 0.25.").waitFor();
  assert.equal(await asked.getByText("First pair, times").count(), 0, "that end is right");
  assert.equal(await last.count(), 0);
  await page.reload();
  await visit.ready();
  await asked.locator('.verdict[data-right="false"]').waitFor();
  visit.assertClean();
  await visit.close();
});

test("the ends of a bar are dragged, each by what is nearer to it", async () => {
  const visit = await lab.open("page=context&lang=zh");
  const { page } = visit;
  const asked = visit.question("context-bf16");
  const [first, last] = [0, 1].map((k) => asked.locator(".put input").nth(k));
  await first.waitFor();
  const canvas = visit.figure("ctx-precision").locator("canvas");
  await canvas.scrollIntoViewIfNeeded();
  const [before, behind] = [await value(first), await value(last)];
  for await (const point of points(canvas, [0.1, 0.5, 0.4, 0.1], 8)) {
    await page.mouse.click(...point);
  }
  assert.ok((await value(first)) !== before && (await value(last)) !== behind);
  await first.evaluate((s) => {
    s.value = "8176";
    s.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await last.evaluate((s) => {
    s.value = "8224";
    s.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await asked.locator("[data-answer]").click();
  await asked.locator('.verdict[data-right="true"]').waitFor();
  visit.assertClean();
  await visit.close();
});

test("a cell is marked by touch", async () => {
  const visit = await lab.open("page=multimodal&lang=zh", { width: 390, height: 844, dpr: 2, touch: true });
  const { page } = visit;
  const asked = visit.question("multimodal-stripes");
  const slider = asked.locator(".put input");
  await slider.waitFor();
  const canvas = visit.figure("img-patches").locator("canvas");
  let marked = false;
  for await (const point of points(canvas, [0, 0, 0.36, 0.5], 24)) {
    await page.touchscreen.tap(...point);
    // Right of the one in the middle, 105.
    marked = (await value(slider)) === 106;
    if (marked) break;
  }
  assert.ok(marked, `${await value(slider)}`);
  await asked.locator("[data-answer]").tap();
  await asked.locator('.verdict[data-right="true"]').waitFor();
  visit.assertClean();
  await visit.close();
});

test("bars of the bias and the attention that they change are one bench, joined by the pointer", async () => {
  const visit = await lab.open("page=relative&lang=en");
  const { page } = visit;
  const figure = visit.figure("attention");
  await visit.question("relative-one-bar").locator("button.quiet").click();
  const canvas = figure.locator("canvas");
  await canvas.scrollIntoViewIfNeeded();
  await visit.settled();
  const said = () => figure.locator(".tip").innerText();
  // The bars stand at the left, below the maps.
  let bar;
  const box = await canvas.boundingBox();
  for (let x = 0.05; x < 0.35; x += 0.008) {
    const point = [box.x + x * box.width, box.y + 0.85 * box.height];
    await page.mouse.move(...point);
    if (/δ = 2/.test(await said())) {
      bar = point;
      break;
    }
  }
  assert.ok(bar, `no bar under the pointer: ${await said()}`);
  // While it is pointed at, a pair with that offset is traced: in the numbers of the bench, not in the address.
  await page.waitForFunction(() => {
    const note = document.querySelector('[data-figure="attention"] .notes li')?.textContent ?? "";
    const found = note.match(/i = (\d+), j = (\d+)/);
    return found && Number(found[1]) - Number(found[2]) === 2;
  });
  assert.doesNotMatch(page.url(), /[?&]i=/);
  // Dragged upwards, the weights follow.
  const weight = () => figure.locator('[data-value="weight"]').getAttribute("data-number").then(Number);
  const before = await weight();
  await page.mouse.down();
  await page.mouse.move(bar[0], bar[1] - 4);
  await page.mouse.move(bar[0], box.y + 0.78 * box.height, { steps: 4 });
  await page.mouse.up();
  await page.waitForFunction(() => /bias_edits=/.test(location.search));
  await visit.settled();
  assert.notEqual(await weight(), before);
  visit.assertClean();
  await visit.close();
});
