import { readSettings } from './tabs.js';

it('reads the tab and its parameters, and ignores invalid tabs', () => {
  expect(readSettings({ tab: 'tokens' })).toEqual({ tab: 'tokens' });
  expect(readSettings({ tab: 'tokens', agent: 'NewBot' })).toEqual({ tab: 'tokens' });
  expect(readSettings({ tab: 'history', agent: 'NewBot' })).toEqual({ tab: 'history', agent: 'NewBot' });
  for (const tab of ['general', 'toString', 'nothing', 7, undefined]) expect(readSettings({ tab })).toEqual({});
});
