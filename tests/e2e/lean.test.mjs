// What the page does not do: compute what is not seen, build anew what has not changed, keep what has gone. Counts, no
// times.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Lab, drag, keepMemory } from "./lab.mjs";

let lab;
before(async () => {
  lab = await Lab.start();
});
after(() => lab?.close());

const computed = (visit, figure) => visit.figure(figure).evaluate((f) => Number(f.dataset.computed));

test("a figure is computed at most once a frame, and off the screen not before the slider rests", async () => {
  const visit = await lab.open("page=absolute&lang=en");
  await visit.settled();
  const [near, far] = ["pe-waves", "pe-similarity"];
  const before = [await computed(visit, near), await computed(visit, far)];
  const frames = 10;
  await drag(visit.page, near, "d_model", frames, 4);
  await visit.settled(60);
  const [seen, unseen] = [(await computed(visit, near)) - before[0], (await computed(visit, far)) - before[1]];
  assert.ok(seen >= 2 && seen <= frames + 1, `${seen} times in ${frames} frames`);
  assert.ok(unseen <= 1, `${unseen} times, off the screen`);
  visit.assertClean();
  await visit.close();
});

test("a step of a slider builds nothing anew that has not changed", async () => {
  const visit = await lab.open("page=absolute&lang=en");
  await visit.settled();
  await visit.page.evaluate(() => {
    globalThis.built = [];
    const see = (records) => {
      for (const { target, addedNodes } of records) {
        if (addedNodes.length && target.closest?.("select, header, title, label")) built.push(target.outerHTML);
      }
    };
    new MutationObserver(see).observe(document, { subtree: true, childList: true });
    globalThis.lines = [...document.querySelectorAll("pre .line")];
    globalThis.texts = lines.map((line) => line.textContent);
  });
  await drag(visit.page, "pe-matrix", "base", 10);
  const { built, anew } = await visit.page.evaluate(() => ({
    built,
    anew: lines.filter((line, k) => !line.isConnected && !texts[k].includes("10000")).map((line) => line.textContent),
  }));
  assert.deepEqual(built, []);
  assert.deepEqual(anew, []);
  await visit.close();
});

test("a paint makes no new canvas, and sets a font only where it changes", async () => {
  const count = (page) =>
    page.addInitScript(() => {
      globalThis.counts = { texts: 0, fonts: 0, puts: 0, canvases: 0 };
      const context = CanvasRenderingContext2D.prototype;
      const font = Object.getOwnPropertyDescriptor(context, "font");
      Object.defineProperty(context, "font", {
        ...font,
        set(value) {
          counts.fonts += 1;
          font.set.call(this, value);
        },
      });
      const counted = (owner, method, name, when = () => true) => {
        const own = owner[method];
        owner[method] = function (...given) {
          if (when(...given)) counts[name] += 1;
          return own.apply(this, given);
        };
      };
      counted(context, "fillText", "texts");
      counted(context, "putImageData", "puts");
      counted(Document.prototype, "createElement", "canvases", (tag) => tag === "canvas");
    });
  const visit = await lab.open("embed=pe-matrix&lang=en", { before: count });
  await visit.settled();
  const now = () =>
    visit.page.evaluate(() => ({ ...counts, paints: Number(document.querySelector("[data-rev]").dataset.rev) }));
  const before = await now();
  await drag(visit.page, "pe-matrix", "base", 10, 3);
  const after = await now();
  const grown = Object.fromEntries(Object.entries(after).map(([name, n]) => [name, n - before[name]]));
  assert.ok(grown.paints >= 2 && grown.paints <= 11, `${grown.paints} paints in 10 frames`);
  assert.ok(grown.texts >= 10 * grown.paints, `${grown.texts} texts`);
  assert.ok(grown.fonts <= 0.3 * grown.texts, `${grown.fonts} fonts for ${grown.texts} texts`);
  // The matrix; its legend stays.
  assert.ok(grown.puts <= grown.paints, `${grown.puts} rasters coloured for ${grown.paints} paints`);
  assert.equal(grown.canvases, 0);
  await visit.close();
});

test("nothing is left of what has gone: elements and memory stay as many", async () => {
  const visit = await lab.open("page=order&lang=en", { before: keepMemory });
  const { page } = visit;
  const cdp = await visit.context.newCDPSession(page);
  await cdp.send("Performance.enable");
  const now = async () => {
    await visit.settled();
    await cdp.send("HeapProfiler.collectGarbage");
    const { metrics } = await cdp.send("Performance.getMetrics");
    const of = (name) => metrics.find((m) => m.name === name).value;
    const wasm = await page.evaluate(() => programMemory.buffer.byteLength);
    return { nodes: of("Nodes"), listeners: of("JSEventListeners"), heap: of("JSHeapUsedSize"), wasm };
  };
  const round = async () => {
    const pages = await page.locator("label.pages option").evaluateAll((all) => all.map((o) => o.value));
    for (const id of [...pages.slice(1), "absolute", "order"]) {
      await page.locator("label.pages select").evaluate((select, id) => {
        select.value = id;
        select.dispatchEvent(new Event("change", { bubbles: true }));
      }, id);
      await page.locator(".way").waitFor({ state: "attached" });
      if (id === "absolute") await drag(page, "pe-waves", "base", 30);
    }
  };
  // The first rounds load texts, and memory grows to what it takes to change a page.
  await round();
  await round();
  const before = await now();
  for (let k = 0; k < 2; k += 1) await round();
  const after = await now();
  assert.ok(after.nodes <= 1.05 * before.nodes, `elements: ${before.nodes} → ${after.nodes}`);
  assert.ok(after.listeners <= before.listeners, `listeners: ${before.listeners} → ${after.listeners}`);
  assert.ok(after.heap <= before.heap + 2e5, `heap: ${before.heap} → ${after.heap}`);
  assert.ok(after.wasm <= before.wasm + 2e5, `program: ${before.wasm} → ${after.wasm}`);
  visit.assertClean();
  await visit.close();
});
