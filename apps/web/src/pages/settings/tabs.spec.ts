import { parseSettingsSearch } from './tabs.js';

it('parses the tab and its parameters and ignores invalid tabs', () => {
  expect(parseSettingsSearch({ tab: 'tokens' })).toEqual({ tab: 'tokens' });
  expect(parseSettingsSearch({ tab: 'tokens', agent: 'NewBot' })).toEqual({ tab: 'tokens' });
  expect(parseSettingsSearch({ tab: 'history', agent: 'NewBot' })).toEqual({ tab: 'history', agent: 'NewBot' });
  for (const tab of ['general', 'toString', 'nothing', 7, undefined]) expect(parseSettingsSearch({ tab })).toEqual({});
});
