import { readSettings } from './tabs.js';

it('reads the tab of an address, and leaves out what is not a tab', () => {
  expect(readSettings({ tab: 'tokens' })).toEqual({ tab: 'tokens' });
  for (const tab of ['general', 'toString', 'nothing', 7, undefined]) expect(readSettings({ tab })).toEqual({});
});
