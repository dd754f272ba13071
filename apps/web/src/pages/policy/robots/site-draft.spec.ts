import { createSiteDraft } from './site-draft.js';

const RULES = 'User-agent: a\nDisallow: /\n';

it("starts from the site's file", () => {
  const { text, problem, isTooLarge } = createSiteDraft('# ours\n', RULES);
  expect(text).toBe(`# ours\n\n# agent-traffic begin\n${RULES}# agent-traffic end\n`);
  expect([problem, isTooLarge]).toEqual([null, false]);
});

it('returns only the rules if the file has an incomplete section', () => {
  const { text, problem } = createSiteDraft('# agent-traffic begin\n', RULES);
  expect(text).not.toMatch(/begin\n# agent/);
  expect(problem).toMatch(/exactly one/);
});
