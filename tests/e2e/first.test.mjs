// What stands there before the program has come: the first screen as the figures drew it when the page was built.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Lab } from "./lab.mjs";

let lab;
before(async () => {
  lab = await Lab.start();
});
after(() => lab?.close());

/** Opens the page and holds the program back until `release` is called. */
async function heldBack(query, options = {}) {
  let release;
  const held = new Promise((done) => (release = done));
  const visit = await lab.open(query, {
    ...options,
    ready: false,
    before: async (page) => {
      await page.addInitScript(() => {
        globalThis.shifted = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.shifted += entry.value;
        }).observe({ type: "layout-shift", buffered: true });
      });
      await page.route("**/*.wasm", async (route) => {
        await held;
        await route.continue();
      });
    },
  });
  return { visit, release };
}

test("without the program its first screen stands; the program takes its place without a jump", async () => {
  for (const [query, options] of [
    ["lang=zh", { width: 1280, height: 800 }],
    ["lang=en&theme=dark", { width: 1366, height: 641 }],
    ["lang=zh", { width: 390, height: 844 }],
    ["page=rope&lang=zh", { width: 1280, height: 800 }],
    ["page=multimodal&lang=en", { width: 390, height: 844 }],
  ]) {
    const { visit, release } = await heldBack(query, options);
    const { page } = visit;
    const drawing = page.locator("#shell [data-figure] .stage svg");
    await drawing.waitFor();
    const box = await drawing.boundingBox();
    assert.ok(box.height > 100 && box.y + 100 < options.height, `${query}: ${JSON.stringify(box)}`);
    const before = await page.locator("#shell .stage").boundingBox();
    // Nothing that is there can be used yet, and it says so.
    assert.equal(await page.locator("#shell :is(button, input):enabled:visible").count(), 0, query);
    assert.match(await page.locator("#shell .tip").innerText(), query.includes("en") ? /Loading/ : /载入/);
    release();
    await page.waitForSelector("html[data-ready]");
    await page.waitForFunction(() => !document.getElementById("shell"));
    const canvas = page.locator("[data-figure] canvas").first();
    await canvas.waitFor();
    const now = await canvas.boundingBox();
    for (const side of ["x", "y", "height"]) {
      assert.ok(Math.abs(now[side] - before[side]) <= 2, `${query}: ${side} ${before[side]} becomes ${now[side]}`);
    }
    const shifted = await page.evaluate(() => globalThis.shifted);
    assert.ok(shifted <= 0.02, `${query}: layout shift ${shifted}`);
    visit.assertClean();
    await visit.close();
  }
});

test("what an address asks for beside page, language and theme is not shown until the program has drawn it", async () => {
  const { visit, release } = await heldBack("page=rope&base=500");
  await visit.page.locator("#shell progress").waitFor();
  assert.equal(await visit.page.locator("#shell svg").count(), 0);
  assert.ok(!visit.requests.some((path) => path.includes("first.")));
  release();
  await visit.page.waitForSelector("html[data-ready]");
  visit.assertClean();
  await visit.close();
});

test("the first screen hides what its question asks, and goes where the program cannot come", async () => {
  const visit = await lab.open("page=order&lang=en", {
    ready: false,
    before: (page) => page.route("**/*.wasm", (route) => route.abort()),
  });
  await visit.page.locator("#shell .stage svg").waitFor();
  assert.ok((await visit.page.locator("#shell .stage").innerText()).includes("?"));
  await visit.page.locator("#load-failed").waitFor({ state: "visible" });
  await visit.close();
});

test("where the second part does not come, what says so is not behind the first screen", async () => {
  const visit = await lab.open("page=rope&lang=en", {
    ready: false,
    before: (page) => page.route("**/*-later-*.wasm", (route) => route.abort()),
  });
  await visit.page.locator(".stage .error").first().waitFor();
  await visit.page.waitForFunction(() => !document.getElementById("shell"));
  await visit.close();
});
