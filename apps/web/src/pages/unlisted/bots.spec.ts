import { getBlockChoices } from './block-choices.js';
import { getBlockableName, getBotName } from './bots.js';

const SHELF_SCOUT = 'Mozilla/* (compatible; ShelfScout/*; +https://shelfscout.example/about)';
const CHROME = 'Mozilla/* (Windows NT *; Win*; x*) AppleWebKit/* (KHTML, like Gecko) Chrome/* Safari/*';

it.each([
  [SHELF_SCOUT, 'ShelfScout'],
  [CHROME, 'Posing as Chrome on Windows'],
  ['acme-inventory-fetcher', 'acme-inventory-fetcher'],
  ['(no user agent)', '(no user agent)'],
])('names %s', (group, name) => expect(getBotName({ user_agent_group: group })).toBe(name));

it.each([CHROME, '(no user agent)', 'go', 'Site*Check'])('does not block %s by its user agent', (group) =>
  expect(getBlockableName(group)).toBeNull(),
);

describe('getBlockChoices', () => {
  const networks = [{ prefix: '192.0.2.0/24', client_network: null }];
  const getTargets = (group: string, mayAddAgents: boolean) =>
    getBlockChoices({ user_agent_group: group, networks }, { userAgent: undefined, mayAddAgents }).map(
      ({ target }) => target.network ?? target.newAgent?.user_agent_patterns,
    );

  it('offers the user agent first, because a network also has other visitors', () => {
    expect(getTargets(SHELF_SCOUT, true)).toEqual([['ShelfScout'], '192.0.2.0/24']);
    expect(getTargets('price.watch/*', true)[0]).toEqual(['price\\.watch']);
  });

  it('only offers the networks of browsers, and to users who may not add agents', () => {
    expect(getTargets(CHROME, true)).toEqual(['192.0.2.0/24']);
    expect(getTargets(SHELF_SCOUT, false)).toEqual(['192.0.2.0/24']);
  });
});
