import { decideRobotsAccess } from './robots-decision.js';
import { findPurposeGroups, parseRobotsFile } from './robots-file.js';
import { PURPOSE_TOKENS } from './purpose-tokens.js';
import { parseRobotsUsage } from './robots-usage.js';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Example of draft-ietf-aipref-attach-05, section 3. */
const DRAFT_EXAMPLE = `User-Agent: *
Allow: /
Disallow: /never/
Content-Usage: train-ai=n
Content-Usage: /ai-ok/ train-ai=y

User-Agent: ExampleBot
Allow: /
Content-Usage: train-ai=y
`;

describe('parseRobotsUsage', () => {
  const findTraining = (text: string, token: string, path: string): (boolean | undefined)[] =>
    parseRobotsUsage(encode(text))
      .findRules(token, path)
      .map(({ preferences }) => preferences.find(({ name }) => name === 'train-ai')?.isAllowed);

  it.each([
    ['ExampleBot', '/page', [true]],
    ['examplebot', '/ai-ok/page', [true]],
    ['OtherBot', '/page', [false]],
    ['OtherBot', '/ai-ok/page', [true]],
    ['*', '/never/page', [false]],
  ])('finds the rule for %s and %s in the example of the draft', (token, path, expected) =>
    expect(findTraining(DRAFT_EXAMPLE, token, path)).toEqual(expected),
  );

  it('returns all rules with the longest path', () => {
    const text =
      'User-agent: *\nContent-Usage: /docs/ train-ai=y\nContent-Usage: /docs/ train-ai=n\nContent-Usage: train-ai=y';
    expect(findTraining(text, '*', '/docs/a')).toEqual([true, false]);
    expect(findTraining('User-agent: *\nContent-Usage: /docs/', '*', '/docs/')).toEqual([undefined]);
    expect(findTraining(text, 'GPTBot', '/a')).toEqual([true]);
    expect(findTraining('Content-Usage: train-ai=n', '*', '/')).toEqual([]);
  });

  it('finds the signals of the agent’s groups, or those before the first group', () => {
    const usage = parseRobotsUsage(
      encode(
        'Content-Signal: search=yes\nUser-agent: *\nDisallow: /a\nUser-agent: GPTBot\nUser-agent: CCBot\nContent-Signal: ai-train=no\nDisallow: /',
      ),
    );
    expect(usage.findSignals('*')).toMatchObject([{ line: 1 }]);
    expect(usage.findSignals('CCBot')).toMatchObject([
      { line: 6, preferences: [{ name: 'ai-train', isAllowed: false }] },
    ]);
  });
});

describe('purpose tokens', () => {
  it.each(PURPOSE_TOKENS)('$token never matches an agent', ({ token }) => {
    const own = parseRobotsFile(
      encode(`User-agent: ${token.toUpperCase()}\nDisallow: /\n\nUser-agent: *\nDisallow: /private/`),
    );
    expect(decideRobotsAccess(own, token, '/page')).toMatchObject({ reason: 'no_rule', isAllowed: true });
    expect(decideRobotsAccess(own, 'GPTBot', '/page')).toMatchObject({ reason: 'no_rule', isAllowed: true });
    expect(decideRobotsAccess(own, token, '/private/a')).toMatchObject({ isAllowed: false });
    expect(findPurposeGroups(own, token)).toMatchObject([{ rules: [{ text: 'Disallow: /' }] }]);
    const shared = parseRobotsFile(encode(`User-agent: ${token}\nUser-agent: GPTBot\nDisallow: /`));
    expect(decideRobotsAccess(shared, 'GPTBot', '/page')).toMatchObject({ isAllowed: false });
    expect(decideRobotsAccess(shared, 'CCBot', '/page')).toMatchObject({ reason: 'no_group', isAllowed: true });
  });
});
