// Every page in both languages, light and dark; controls, pointer, keys, address, bad input.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { Lab } from "./lab.mjs";

const PAGES = {
  order: ["order-swap", "attention-steps"],
  absolute: ["pe-waves", "pe-matrix", "pe-shift", "pe-similarity"],
  relative: ["rel-index", "rel-bias", "attention"],
  rope: ["rope-circles", "rope-rotate", "rope-score", "rope-pairing"],
  context: ["ctx-angles", "ctx-scaling", "ctx-wavelengths", "ctx-score", "ctx-precision", "ctx-cache"],
  multimodal: [
    "img-patches",
    "img-resize",
    "swin-index",
    "audio-frames",
    "audio-bias",
    "mrope-grid",
    "mrope-scores",
    "modality-bias",
  ],
  compare: ["compare-scores", "compare-maps"],
};
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let lab;
before(async () => {
  lab = await Lab.start();
});
after(() => lab?.close());

/** How many different colours a figure's canvas shows, among a grid of its pixels. */
const coloursOf = (figure) =>
  figure.locator("canvas").evaluate((canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const seen = new Set();
    for (let at = 0; at < data.length; at += 4 * 97) seen.add(`${data[at]},${data[at + 1]},${data[at + 2]}`);
    return seen.size;
  });

test("each page paints all its figures, says nothing on the console, and passes the accessibility check", async () => {
  for (const [id, figures] of Object.entries(PAGES)) {
    for (const [lang, theme] of [
      ["zh", "light"],
      ["en", "dark"],
    ]) {
      const visit = await lab.open(`page=${id}&lang=${lang}&theme=${theme}`);
      assert.deepEqual(
        await visit.page.locator("[data-figure]").evaluateAll((all) => all.map((f) => f.dataset.figure)),
        figures,
      );
      for (const name of figures) {
        await visit.figure(name).scrollIntoViewIfNeeded();
        await visit.page.locator(`[data-figure="${name}"]:not([data-rev="0"])`).waitFor();
        assert.ok((await coloursOf(visit.figure(name))) > 3, `${name} is blank`);
      }
      await visit.page.evaluate(AXE);
      const { violations } = await visit.page.evaluate(() => globalThis.axe.run({ resultTypes: ["violations"] }));
      const told = violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target).join(" ")}`);
      assert.deepEqual(told, [], `${id} ${lang} ${theme}`);
      visit.assertClean();
      await visit.close();
    }
  }
});

test("English pages have no Chinese but quotations and the language switch", async () => {
  for (const id of Object.keys(PAGES)) {
    const visit = await lab.open(`page=${id}&lang=en`);
    // The words of the sentences are the visitor's.
    await visit.page.locator(".tokens").evaluateAll((all) => all.forEach((row) => row.remove()));
    const text = await visit.page.locator("body").innerText();
    const left = text.replace(/“[^”]*”|"[^"\n]*"/g, "").replace("中文", "");
    assert.doesNotMatch(left, /\p{Script=Han}/u, id);
    assert.doesNotMatch(text, /\b(figure|key|word|page|notice|app)\.[a-z_-]+/, `${id} shows a key`);
    await visit.close();
  }
});

test("canvases have the device's pixels at every ratio", async () => {
  for (const dpr of [1, 1.5, 2, 3]) {
    const visit = await lab.open("page=absolute", { dpr });
    const ratio = await visit.figure("pe-waves").locator("canvas").evaluate((c) => c.width / c.clientWidth);
    assert.ok(Math.abs(ratio - dpr) < 0.01, `${dpr}: ${ratio}`);
    visit.assertClean();
    await visit.close();
  }
});

test("a figure is painted again when its size or the theme changes, and not when nothing does", async () => {
  const visit = await lab.open("embed=pe-matrix");
  const { page } = visit;
  const settled = async () => {
    await visit.settled();
    return Number(await visit.figure("pe-matrix").getAttribute("data-rev"));
  };
  const painted = (before) =>
    page.waitForFunction(
      (rev) => Number(document.querySelector('[data-figure="pe-matrix"]').dataset.rev) > rev,
      before,
    );
  const corner = () =>
    visit.figure("pe-matrix").locator("canvas").evaluate((canvas) => {
      const [r, g, b] = canvas.getContext("2d").getImageData(1, 1, 1, 1).data;
      return r + g + b;
    });
  const first = await settled();
  assert.ok(first > 0);
  assert.equal(await settled(), first, "nothing changes, nothing is painted");
  await page.setViewportSize({ width: 700, height: 800 });
  await painted(first);
  const resized = await settled();
  const light = await corner();
  await page.emulateMedia({ colorScheme: "dark" });
  await painted(resized);
  const dark = await settled();
  assert.ok((await corner()) < light, "the colours are the dark ones");
  await page.emulateMedia({ colorScheme: "light" });
  await painted(dark);
  await settled();
  assert.equal(await corner(), light);
  visit.assertClean();
  await visit.close();
});

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
  await page.locator('[data-question="rope-base-first"]').getByText("Just show me").click();
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

test("what is looked for is found and gone to, by keyboard alone", async () => {
  const visit = await lab.open("page=order&lang=en");
  const { page } = visit;
  await page.locator("main .prose").first().waitFor();
  await page.keyboard.press("/");
  const dialog = page.locator("dialog.search");
  await dialog.locator("input").waitFor();
  await page.waitForFunction(() => document.querySelectorAll("dialog.search li").length > 30); // the glossary
  await page.keyboard.type("score by distance");
  await dialog.locator("li a").first().waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement.id === "rope-score");
  assert.match(page.url(), /page=rope/);
  await page.keyboard.press("/");
  await dialog.locator("input").fill("zzzz");
  await dialog.getByText("Nothing found").waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
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

test("tabs add history, back goes back, and only pages that exist have tabs", async () => {
  const visit = await lab.open("lang=en&seq_len=32");
  const { page } = visit;
  const tabs = page.locator("header nav:not(.contents) a");
  assert.equal(await tabs.count(), Object.keys(PAGES).length);
  await tabs.nth(3).click();
  await visit.figure("rope-circles").waitFor();
  assert.match(page.url(), /page=rope/);
  assert.match(page.url(), /seq_len=32/);
  await page.goBack();
  await visit.figure("order-swap").waitFor();
  await page.goForward();
  await visit.figure("rope-score").waitFor();
  visit.assertClean();
  await visit.close();
});

test("language and theme have switches", async () => {
  const visit = await lab.open("", { locale: "zh-CN" });
  const { page } = visit;
  await page.locator(".switches button[lang]").click();
  await page.locator('html[lang="en"]').waitFor({ state: "attached" });
  await page.locator(".menu summary").click();
  await page.locator(".menu select").selectOption("dark");
  await page.locator('html[data-theme="dark"]').waitFor({ state: "attached" });
  await page.waitForFunction(() => /lang=en/.test(location.search) && /theme=dark/.test(location.search));
  visit.assertClean();
  await visit.close();
});

test("bad addresses get notices in the visitor's language and a live page", async () => {
  for (const [query, names] of [
    ["d_model=7", ["d_model"]],
    ["d_model=abc&seq_len=-3&base=NaN&heads=5", ["d_model", "seq_len", "base"]],
    ["page=nope", ["page"]],
    ["page=train", ["page"]],
    ["text_a=&text_b=", ["text_a", "text_b"]],
    [`text_a=${"爱".repeat(500)}&tokens=char`, ["text_a"]],
    ["page=rope&scheme=alibi", ["scheme"]],
    ["page=absolute&d_model=2&layout=t2t", ["layout"]],
    ["embed=nope", []],
  ]) {
    for (const lang of ["zh", "en"]) {
      const visit = await lab.open(`${query}&lang=${lang}`);
      const told = await visit.page.locator("[data-notice] span").allTextContents();
      assert.equal(told.length, Math.max(names.length, 1), `${query}: ${told}`);
      for (const name of names) assert.ok(told.some((text) => text.includes(name)), `${query}: ${told}`);
      if (lang === "zh") assert.match(told.join(), /\p{Script=Han}/u);
      await visit.page.locator("[data-notice] button").first().click();
      assert.equal(await visit.page.locator("[data-notice]").count(), told.length - 1);
      visit.assertClean();
      await visit.close();
    }
  }
});

test("emoji, combining characters and controls in sentences are safe", async () => {
  const text = encodeURIComponent("👩‍👩‍👧 é\u0301 \u202e abc\u0000 \ud83d\ude00");
  for (const tokens of ["char", "word"]) {
    const visit = await lab.open(`text_a=${text}&text_b=${text}&tokens=${tokens}&scheme=rope`);
    assert.ok((await visit.value("max-difference")) <= 1e-9);
    visit.assertClean();
    await visit.close();
  }
});

test("the download is what examples/vectors prints", async () => {
  for (const query of ["page=rope&d_model=8&seq_len=4&heads=1&pairing=half", "page=order&scheme=sinusoidal"]) {
    const visit = await lab.open(query);
    await visit.page.locator(".downloads summary").first().click();
    const [download] = await Promise.all([
      visit.page.waitForEvent("download"),
      visit.page.locator('[data-download="json"]').first().click(),
    ]);
    const saved = JSON.parse(readFileSync(await download.path(), "utf8"));
    const arguments_ = ["run", "-q", "--release", "--example", "vectors", "--", query];
    const printed = JSON.parse(execFileSync("cargo", arguments_, { cwd: new URL("../..", import.meta.url) }));
    assert.equal(saved.query, printed.query);
    assert.deepEqual(Object.keys(saved.arrays), Object.keys(printed.arrays));
    for (const [name, { shape, data }] of Object.entries(saved.arrays)) {
      assert.deepEqual(shape, printed.arrays[name].shape);
      data.forEach((x, k) => assert.ok(Math.abs(x - printed.arrays[name].data[k]) <= 1e-12, `${name}[${k}]`));
    }
    visit.assertClean();
    await visit.close();
  }
});

test("a page whose program or words cannot be loaded says so", async () => {
  for (const missing of ["**/*.wasm", "**/words.*.json"]) {
    const visit = await lab.open("", {
      ready: false,
      before: (page) => page.route(missing, (route) => route.abort()),
    });
    await visit.page.locator("#load-failed").waitFor({ state: "visible" });
    await visit.close();
  }
});
