// Figures in somebody's notes: several frames on one page, sandboxed, that tell their height.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Lab } from "./lab.mjs";

let lab;
before(async () => {
  lab = await Lab.start();
});
after(() => lab?.close());

test("a frame shows one figure and its controls, and no navigation", async () => {
  const visit = await lab.open("embed=rope-circles", { width: 640, height: 400 });
  assert.equal(await visit.page.locator("[data-figure]").count(), 1);
  assert.equal(await visit.page.locator("nav, header, footer").count(), 0);
  assert.ok((await visit.page.locator(".field").count()) > 0);
  assert.equal(await visit.page.evaluate(() => document.activeElement === document.body), true, "no focus is taken");
  const wide = await visit.page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 640);
  visit.assertClean();
  await visit.close();
});

test("a teacher fixes and hides what the lesson does not need", async () => {
  const visit = await lab.open("embed=pe-matrix&lock=seq_len&hide=base", { width: 640, height: 400 });
  assert.equal(await visit.page.locator("#pe-matrix-seq_len").isDisabled(), true);
  assert.equal(await visit.page.locator('[data-slider="pe-matrix-seq_len"]').isDisabled(), true);
  assert.equal(await visit.page.locator('[data-param="base"]').count(), 0);
  const bare = await lab.open("embed=pe-matrix&hide=controls", { width: 640, height: 400 });
  assert.equal(await bare.page.locator(".field").count(), 0);
  visit.assertClean();
  bare.assertClean();
  await visit.close();
  await bare.close();
});

test("two sandboxed frames on one page tell their heights, which settle", async () => {
  const visit = await lab.open("", { ready: false });
  const { page } = visit;
  const frames = ["pe-matrix", "rel-index"]
    .map((id) => `<iframe id="${id}" sandbox="allow-scripts" width="600" height="400" src="${lab.url(`embed=${id}`)}"></iframe>`)
    .join("");
  await page.setContent(
    `<body>${frames}<script>
      globalThis.told = [];
      addEventListener("message", ({ data }) => {
        if (data?.type !== "posenc-lab:height") return;
        told.push(data);
        document.getElementById(data.id).style.height = data.height + "px";
      });
    </script></body>`,
  );
  await page.waitForFunction(() => new Set(globalThis.told.map((t) => t.id)).size === 2);
  // Heights settle: sixty frames in a row without a word, within ten seconds.
  const settled = await page.evaluate(async () => {
    const start = performance.now();
    for (let still = 0, count = told.length; still < 60; still += 1) {
      await new Promise((next) => requestAnimationFrame(next));
      if (told.length !== count) [still, count] = [0, told.length];
      if (performance.now() - start > 10_000) return false;
    }
    return true;
  });
  assert.ok(settled, "heights settle");
  for (const id of ["pe-matrix", "rel-index"]) {
    const frame = page.frame({ url: new RegExp(`embed=${id}`) });
    const fits = await frame.evaluate(
      () => document.documentElement.scrollHeight <= window.innerHeight + 1,
    );
    assert.ok(fits, `${id} fits its frame`);
  }
  assert.equal(await page.evaluate(() => document.activeElement === document.body), true);
  await visit.close();
});
