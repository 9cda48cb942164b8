// Every page in both languages, light and dark; how figures are painted, ways between pages, bad input, downloads.
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

test("what is looked for is found and gone to, by keyboard alone", async () => {
  const visit = await lab.open("page=order&lang=en");
  const { page } = visit;
  await visit.textReady();
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
