// The page `order`, as a student uses it: predict, change the scheme, edit the sentences.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Lab } from "./lab.mjs";

const ROUNDING = 1e-9;
const VISIBLE = 1e-3;

let lab;
before(async () => {
  lab = await Lab.start();
});
after(() => lab?.close());

async function difference(query) {
  const visit = await lab.open(query);
  const value = await visit.value("max-difference");
  const sentence = await visit.figure("order-swap").locator(".sentence").textContent();
  visit.assertClean();
  await visit.close();
  return { value, sentence };
}

test("without an encoding and a mask the order is invisible, by word and by character, 1 to 4 layers", async () => {
  for (const tokens of ["word", "char"]) {
    for (const layers of [1, 4]) {
      const { value } = await difference(`tokens=${tokens}&layers=${layers}`);
      assert.ok(value <= ROUNDING, `${tokens}, ${layers}: ${value}`);
    }
  }
});

test("each encoding, and a causal mask, makes it visible", async () => {
  for (const query of [
    "scheme=sinusoidal",
    "scheme=learned",
    "scheme=relative",
    "scheme=t5",
    "scheme=rope",
    "scheme=alibi&causal=1",
    "causal=1",
  ]) {
    const { value } = await difference(query);
    assert.ok(value > VISIBLE, `${query}: ${value}`);
  }
});

test("an unmasked symmetric bias cannot tell mirror images, and the page says so", async () => {
  const { value, sentence } = await difference("scheme=alibi&tokens=word&lang=zh");
  assert.ok(value <= ROUNDING);
  assert.match(sentence, /镜像/);
  const english = await difference("scheme=alibi&lang=en");
  assert.match(english.sentence, /mirror/);
});

test("the answer is hidden until the visitor predicts", async () => {
  const visit = await lab.open("lang=zh");
  const results = visit.figure("order-swap").locator(".results");
  assert.equal(await results.isVisible(), false);
  const asked = visit.question("order-swap");
  await asked.getByText("直接看结果").click();
  await results.waitFor({ state: "visible" });
  assert.match(await asked.locator("[role=status]").textContent(), /置换等变/);
  visit.assertClean();
  await visit.close();
});

test("sentences are edited, toggles work, the address follows and a link restores the view", async () => {
  const visit = await lab.open("lang=en");
  const { page } = visit;
  await page.getByText("Just show me").first().click();
  const sentence = (visit, name) => visit.figure("order-swap").getByLabel(`Sentence ${name}`, { exact: true });
  await sentence(visit, "A").fill("dog bites man");
  await sentence(visit, "B").fill("man bites dog");
  await page.locator("#order-swap-scheme").selectOption("rope");
  await page.waitForFunction(() => location.search.includes("scheme=rope") && location.search.includes("bites"));
  await page.waitForFunction(
    () => Number(document.querySelector('[data-value="max-difference"]').dataset.number) > 1e-3,
  );
  const shown = await visit.value("max-difference");
  const again = await lab.open(new URL(page.url()).search);
  assert.equal(await again.value("max-difference"), shown);
  assert.equal(await sentence(again, "A").inputValue(), "dog bites man");
  await sentence(visit, "B").fill("cats sleep");
  await visit.figure("order-swap").getByText("different tokens, so outputs").waitFor();
  assert.equal(await page.locator('[data-value="max-difference"]').getAttribute("data-number"), null);
  await sentence(visit, "B").fill("");
  await page.locator("#order-swap-text_b-wrong").getByText("empty").waitFor();
  await page.locator(".menu summary").click();
  await page.getByText("Reset").click();
  await page.waitForFunction(() => !location.search.includes("bites"));
  visit.assertClean();
  await visit.close();
  await again.close();
});
