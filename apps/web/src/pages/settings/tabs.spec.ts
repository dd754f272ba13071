import { readSettings } from './tabs.js';

it('reads the tab of an address, and leaves out what is not a tab', () => {
  expect(readSettings({ tab: 'tokens' })).toEqual({ tab: 'tokens' });
  expect(readSettings({ tab: 'tokens', agent: 'NewBot' })).toEqual({ tab: 'tokens' });
  expect(readSettings({ tab: 'history', agent: 'NewBot' })).toEqual({ tab: 'history', agent: 'NewBot' });
  for (const tab of ['general', 'toString', 'nothing', 7, undefined]) expect(readSettings({ tab })).toEqual({});
});
