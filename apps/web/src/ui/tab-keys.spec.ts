import { getTabByKey } from './tab-keys.js';

const NO_MODIFIERS = { altKey: false, ctrlKey: false, metaKey: false };
const TABS = ['agents', 'operators', 'types'];

describe('getTabByKey', () => {
  it.each([
    ['ArrowRight', 'agents', 'operators'],
    ['ArrowRight', 'types', 'agents'],
    ['ArrowLeft', 'operators', 'agents'],
    ['ArrowLeft', 'agents', 'types'],
    ['Home', 'types', 'agents'],
    ['End', 'agents', 'types'],
  ])('moves with %s from %s to %s', (key, selected, next) => {
    expect(getTabByKey({ ...NO_MODIFIERS, key }, TABS, selected)).toBe(next);
  });

  it('ignores other keys', () => {
    expect(getTabByKey({ ...NO_MODIFIERS, key: 'Enter' }, TABS, 'agents')).toBeNull();
  });

  it.each(['altKey', 'ctrlKey', 'metaKey'])('ignores shortcuts with %s', (modifier) => {
    expect(getTabByKey({ ...NO_MODIFIERS, key: 'ArrowLeft', [modifier]: true }, TABS, 'agents')).toBeNull();
  });
});
