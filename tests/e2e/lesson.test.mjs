// The text of the lesson and what it asks: loaded by page and language, questions, checks, live numbers.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Lab } from "./lab.mjs";

const PAGES = ["order", "absolute", "relative", "rope", "multimodal", "compare"];

let lab;
before(async () => {
  lab = await Lab.start();
});
after(() => lab?.close());

const live = (visit, name) => visit.page.locator(`.formula [data-live="${name}"]`).first();

/** Sets a number beside a figure. */
async function set(visit, figure, key, value) {
  const field = visit.page.locator(`#${figure}-${key}`);
  await field.fill(String(value));
  await field.press("Enter");
}

test("each page has its text in both languages, with formulas, claims, references and three checks", async () => {
  for (const id of PAGES) {
    for (const lang of ["zh", "en"]) {
      const visit = await lab.open(`page=${id}&lang=${lang}`);
      await visit.textReady();
      const { page } = visit;
      const body = await page.locator("main").innerText();
      assert.doesNotMatch(body, /\b(lesson|figure|key|word|page|notice|app)\.[a-z_-]+/, `${id} shows a key`);
      assert.ok(body.length > 1500, `${id} ${lang}: ${body.length} letters`);
      if (lang === "zh") assert.match(body, /\p{Script=Han}/u);
      assert.equal(await page.locator(".check").count(), 3, id);
      assert.ok((await page.locator(".claim").count()) > 2, id);
      assert.ok((await page.locator(".references li").count()) > 0, id);
      assert.ok((await page.locator(".contents li").count()) > 2, id);
      const first = page.locator("main math:visible").first();
      const { width, height } = await first.boundingBox();
      assert.ok(width > 8 && height > 8, `${id}: a formula of ${width} by ${height}`);
      const empty = await page
        .locator("[data-live]")
        .evaluateAll((all) => all.filter((e) => e.textContent === "…").map((e) => e.dataset.live));
      assert.deepEqual(empty, [], id);
      visit.assertClean();
      await visit.close();
    }
  }
});

test("the font of formulas comes with the page", async () => {
  const visit = await lab.open("page=absolute");
  await visit.textReady();
  await visit.page.waitForFunction(() => document.fonts.check('16px "Posenc Lab Math"'));
  await visit.page.evaluate(() => document.fonts.ready);
  assert.ok(visit.requests.includes("font/math.woff2"), visit.requests.join());
  visit.assertClean();
  await visit.close();
});

test("a figure keeps its result back until its question is answered or skipped; a frame never does", async () => {
  const visit = await lab.open("page=order&lang=en");
  const results = visit.figure("order-swap").locator(".results");
  const swap = visit.question("order-swap");
  await swap.waitFor();
  assert.equal(await results.isVisible(), false);
  // Wrong or right, what was chosen and what is right is marked, and the right one may still be chosen.
  await swap.locator(".answers button").first().click();
  await results.waitFor({ state: "visible" });
  await swap.locator(".verdict[data-right]").waitFor();
  await swap.locator(".answers button.right").click();
  await swap.locator('.verdict[data-right="true"]').waitFor();
  assert.equal(await swap.locator(".answers button.wrong").count(), 0);
  await visit.page.reload();
  await visit.ready();
  await visit.question("order-swap").locator('.verdict[data-right="true"]').waitFor();
  assert.equal(await results.isVisible(), true, "remembered");
  await visit.page.getByText("Forget my answers").click();
  await results.waitFor({ state: "hidden" });
  await visit.page.getByText("Just show me").first().click();
  await results.waitFor({ state: "visible" });
  visit.assertClean();
  await visit.close();
  const frame = await lab.open("embed=order-swap");
  assert.equal(await frame.figure("order-swap").locator(".results").isVisible(), true);
  frame.assertClean();
  await frame.close();
});

test("a number is checked within its tolerance, and an entry that is none is explained", async () => {
  const visit = await lab.open("page=order&lang=en");
  await visit.textReady();
  const check = visit.question("order-row-length");
  const verdict = check.locator(".verdict");
  const entry = check.locator("input");
  await entry.fill("many");
  await entry.press("Enter");
  await check.getByText("Enter a number").waitFor();
  await entry.fill("4");
  await check.getByRole("button", { name: "Check it" }).click();
  assert.equal(await verdict.getAttribute("data-right"), "false");
  assert.equal(await check.locator(".why").count(), 0);
  await entry.fill(" ３.０ ");
  await entry.press("Enter");
  await check.locator(".why").waitFor();
  assert.equal(await verdict.getAttribute("data-right"), "true");
  await visit.page.waitForFunction(
    () => document.querySelector('[data-question="order-row-length"] .why [data-live]')?.textContent === "3",
  );
  visit.assertClean();
  await visit.close();
});

test("a check is done when the figure is set so, and the page when all are", async () => {
  const visit = await lab.open("page=order&lang=en");
  await visit.textReady();
  const { page } = visit;
  const mirror = visit.question("order-mirror");
  assert.equal(await mirror.getAttribute("data-done"), "false");
  await page.locator("#order-swap-scheme").selectOption("rope");
  await page.waitForFunction(() => location.search.includes("scheme=rope"));
  await visit.settled();
  assert.equal(await mirror.getAttribute("data-done"), "false");
  await page.locator("#order-swap-scheme").selectOption("alibi");
  await page.locator('[data-question="order-mirror"][data-done="true"]').waitFor();
  await mirror.locator(".why").waitFor();
  assert.equal(await page.locator("nav .done").count(), 0);
  await visit.question("order-last-token").locator(".answers button").nth(0).click();
  await visit.question("order-row-length").locator("input").fill("3");
  await visit.question("order-row-length").locator("input").press("Enter");
  await page.locator("nav .done").waitFor();
  visit.assertClean();
  await visit.close();
});

test("what holds already must first be set otherwise", async () => {
  const visit = await lab.open("page=absolute&lang=en");
  await visit.textReady();
  const check = visit.question("absolute-slow-base");
  await check.getByText("It is so already").waitFor();
  await set(visit, "pe-matrix", "base", 100);
  await check.getByText("Not there yet").waitFor();
  await set(visit, "pe-matrix", "base", 500);
  await visit.page.locator('[data-question="absolute-slow-base"][data-done="true"]').waitFor();
  visit.assertClean();
  await visit.close();
});

test("formulas, text and code follow the sliders and the traced cell, in the frame of the figure", async () => {
  const visit = await lab.open("page=absolute&lang=en&pos=3&dim=4");
  await visit.textReady();
  const { page } = visit;
  const number = async (name) => Number(await live(visit, name).getAttribute("data-number"));
  const cell = (pos, dim, base) => {
    const angle = pos * base ** (-2 * Math.floor(dim / 2) / 64);
    return dim % 2 === 0 ? Math.sin(angle) : Math.cos(angle);
  };
  assert.ok(Math.abs((await number("cell")) - cell(3, 4, 10000)) < 1e-12);
  const line = page.locator(".code .line.traced");
  assert.match(await line.textContent(), /cell = pe\[3, 4\]\s*$/);
  const below = await line.evaluate((l) => {
    const next = l.nextElementSibling;
    return !next || next.getBoundingClientRect().top >= l.getBoundingClientRect().bottom - 1;
  });
  assert.ok(below, "the line after the traced one stands below it");
  const canvas = visit.figure("pe-matrix").locator("canvas");
  await canvas.scrollIntoViewIfNeeded();
  await page.locator('[data-figure="pe-matrix"] [data-value="cell"]').waitFor({ state: "attached" });
  await canvas.focus();
  // Once the figure's own number has changed, the formula must have changed in the same frame.
  await page.evaluate(() => {
    const numbers = () => [
      document.querySelector('[data-figure="pe-matrix"] [data-value="cell"]').dataset.number,
      document.querySelector('.formula [data-live="cell"]').dataset.number,
    ];
    const before = numbers();
    let frames = 0;
    globalThis.changed = new Promise((done, fail) => {
      const look = () => {
        frames += 1;
        if (frames > 600) fail(new Error("nothing has changed"));
        else if (numbers().every((number, k) => number === before[k])) requestAnimationFrame(look);
        else setTimeout(() => done(numbers()));
      };
      look();
    });
  });
  await page.keyboard.press("ArrowDown");
  const [shown, formula] = await page.evaluate(() => globalThis.changed);
  assert.ok(Math.abs(Number(shown) - Number(formula)) < 1e-14, `${shown} ${formula}`);
  assert.ok(Math.abs((await number("cell")) - cell(4, 4, 10000)) < 1e-12);
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => document.querySelector('.formula [data-live="dim"]').textContent === "5");
  assert.match(await line.textContent(), /cell = pe\[4, 5\]\s*$/);
  await set(visit, "pe-matrix", "base", 500);
  await page.waitForFunction(() => document.querySelector('.prose [data-live="base"]').textContent === "500");
  assert.ok(Math.abs((await number("cell")) - cell(4, 5, 500)) < 1e-12);
  assert.match(await page.locator(".code pre").textContent(), /base=500/);
  visit.assertClean();
  await visit.close();
});

test("code is copied as shown, without the mark of the traced line", async () => {
  const visit = await lab.open("page=rope&lang=en");
  await visit.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await visit.textReady();
  await visit.page.locator(".code button").first().click();
  await visit.page.locator(".code").first().getByText("Copied").waitFor();
  const copied = await visit.page.evaluate(() => navigator.clipboard.readText());
  assert.match(copied, /^import torch/);
  assert.doesNotMatch(copied, /# traced|\{\{/);
  visit.assertClean();
  await visit.close();
});

test("terms tell what they mean on hover and on focus, within a phone's width", async () => {
  const visit = await lab.open("page=order&lang=zh", { width: 390, height: 844 });
  await visit.textReady();
  const terms = visit.page.locator(".term");
  for (const at of [0, 1, 2, 3]) {
    const term = terms.nth(at);
    const meaning = term.locator("[role=tooltip]");
    assert.equal(await meaning.isVisible(), false);
    await term.locator("button").focus();
    await meaning.waitFor({ state: "visible" });
    assert.match(await meaning.innerText(), /[a-z]/, "the English term");
    const { x, width } = await meaning.boundingBox();
    assert.ok(x >= 0 && x + width <= 390, `${x} + ${width}`);
    await visit.page.keyboard.press("Escape");
    await meaning.waitFor({ state: "hidden" });
    await term.hover();
    await meaning.waitFor({ state: "visible" });
    await visit.page.mouse.move(0, 0);
  }
  visit.assertClean();
  await visit.close();
});

test("a text that cannot be loaded says so, figures work, and another attempt brings it", async () => {
  let broken = true;
  const visit = await lab.open("page=rope&lang=en", {
    before: (page) => page.route("**/lesson/rope.*.json", (route) => (broken ? route.abort() : route.continue())),
  });
  const { page } = visit;
  await page.getByText("The text could not be loaded").waitFor();
  assert.equal(await visit.figure("rope-circles").locator(".results").isVisible(), true, "nothing is kept back");
  await set(visit, "rope-circles", "pos", 9);
  await page.waitForFunction(() => location.search.includes("pos=9"));
  const rev = async () => Number(await visit.figure("rope-circles").getAttribute("data-rev"));
  const before = await rev();
  assert.ok(before > 0, "the figure is painted");
  await visit.figure("rope-circles").locator("canvas").evaluate((canvas) => (canvas.dataset.mine = "1"));
  broken = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await visit.textReady();
  assert.equal(await page.getByText("The text could not be loaded").count(), 0);
  assert.ok((await rev()) >= before, "the figure was not made anew");
  assert.equal(await visit.figure("rope-circles").locator("canvas").getAttribute("data-mine"), "1");
  assert.deepEqual(
    visit.problems.filter((p) => !p.includes("ERR_FAILED")),
    [],
  );
  await visit.close();
});

test("a slow text does not keep the figures back, and is put around them when it comes", async () => {
  let come;
  const coming = new Promise((done) => (come = done));
  const visit = await lab.open("page=absolute&lang=en", {
    before: (page) =>
      page.route("**/lesson/absolute.*.json", async (route) => {
        await coming;
        await route.continue();
      }),
  });
  assert.equal(await visit.page.locator("main .prose").count(), 0);
  await visit.figure("pe-waves").locator("canvas").evaluate((canvas) => (canvas.dataset.mine = "1"));
  come();
  await visit.textReady();
  assert.equal(await visit.figure("pe-waves").locator("canvas").getAttribute("data-mine"), "1");
  visit.assertClean();
  await visit.close();
});

test("the language changes text and figures, which stay the same", async () => {
  const visit = await lab.open("page=rope&lang=zh");
  await visit.textReady();
  const { page } = visit;
  await visit.figure("rope-circles").locator("canvas").evaluate((canvas) => (canvas.dataset.mine = "1"));
  await page.locator(".switches button[lang]").click();
  await page.getByText("Contents", { exact: true }).waitFor();
  await page.waitForFunction(() => !/\p{Script=Han}/u.test(document.querySelector("main .prose").innerText));
  assert.equal(await visit.figure("rope-circles").locator("canvas").getAttribute("data-mine"), "1");
  visit.assertClean();
  await visit.close();
});

test("a language whose words cannot be loaded is told, and the page stays in the one that it speaks", async () => {
  let broken = true;
  const visit = await lab.open("page=rope&lang=en", {
    before: (page) => page.route("**/words.zh.json", (route) => (broken ? route.abort() : route.continue())),
  });
  await visit.textReady();
  const { page } = visit;
  const button = page.locator(".switches button[lang]");
  await button.click();
  await page.locator('[data-notice="no-words"]').waitFor();
  await page.waitForFunction(() => document.documentElement.lang === "en" && location.search.includes("lang=en"));
  broken = false;
  await button.click();
  await page.waitForFunction(() => document.documentElement.lang === "zh-CN");
  assert.deepEqual(
    visit.problems.filter((p) => !p.includes("ERR_FAILED")),
    [],
  );
  await visit.close();
});

test("where storage is refused nothing is remembered, and nothing breaks", async () => {
  const visit = await lab.open("page=order&lang=en", {
    before: (page) =>
      page.addInitScript(() => {
        Object.defineProperty(window, "localStorage", {
          get() {
            throw new DOMException("no", "SecurityError");
          },
        });
      }),
  });
  const swap = visit.question("order-swap");
  await swap.getByText("Just show me").click();
  await swap.locator(".answers button.right").waitFor();
  await visit.page.reload();
  await visit.ready();
  assert.equal(await visit.figure("order-swap").locator(".results").isVisible(), false);
  visit.assertClean();
  await visit.close();
});

test("answers, formulas and code can be hidden by the address", async () => {
  const visit = await lab.open("page=order&lang=en&hide=answers,formula,code");
  const swap = visit.question("order-swap");
  await swap.locator(".answers button").first().click();
  await visit.figure("order-swap").locator(".results").waitFor({ state: "visible" });
  assert.equal(await visit.page.locator(".verdict[data-right]").count(), 0);
  await swap.getByText("left for the class").waitFor();
  assert.equal(await visit.page.locator(".formula").first().isVisible(), false);
  assert.equal(await visit.page.locator(".code").first().isVisible(), false);
  visit.assertClean();
  await visit.close();
});

test("contents lead to their part; next and previous lead on and back", async () => {
  const visit = await lab.open("page=order&lang=en");
  await visit.textReady();
  const { page } = visit;
  await page.locator(".contents summary").click();
  await page.locator(".contents a").nth(2).click();
  const focused = await page.evaluate(() => document.activeElement.id);
  assert.equal(focused, "part-3");
  await page.locator(".way .next").click();
  await visit.figure("pe-waves").waitFor();
  assert.match(page.url(), /page=absolute/);
  await page.locator(".way .previous").click();
  await visit.figure("order-swap").waitFor();
  visit.assertClean();
  await visit.close();
});

test("nothing scrolls sideways, text, formulas and code included, on a phone and on a laptop", async () => {
  const phone = { width: 390, height: 844, dpr: 2, touch: true };
  const laptop = { width: 1366, height: 641 };
  for (const size of [phone, laptop]) {
    for (const id of [...PAGES, "context"]) {
      for (const query of [`page=${id}&lang=zh`, `page=${id}&lang=en`, `page=${id}&present=1`]) {
        const visit = await lab.open(query, size);
        if (!query.includes("present")) await visit.textReady();
        await visit.page.locator("[data-figure]").first().waitFor();
        await visit.settled();
        const wide = await visit.page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= size.width, `${query} at ${size.width}: ${wide}`);
        await visit.close();
      }
    }
  }
});
