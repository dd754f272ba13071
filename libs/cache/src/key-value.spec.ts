import { until } from '../../../test/kit/instance.js';
import { InMemoryKeyValue } from './key-value.js';

describe('InMemoryKeyValue', () => {
  it('keeps values until they are deleted', async () => {
    const values = new InMemoryKeyValue();
    await values.set('key', 'value', 60);
    expect(await values.get('key')).toBe('value');
    await values.delete('key');
    expect(await values.get('key')).toBeNull();
  });

  it('lets one hold a name, until it gives it back', async () => {
    const values = new InMemoryKeyValue();
    const claims = await Promise.all([values.claim('held', 60), values.claim('held', 60), values.claim('other', 60)]);
    expect(claims).toEqual([true, false, true]);
    await values.delete('held');
    expect(await values.claim('held', 60)).toBe(true);
  });

  it('gives a name back when its time is over', async () => {
    const values = new InMemoryKeyValue();
    expect(await values.claim('held', 0.001)).toBe(true);
    await until(() => values.claim('held', 0.001), { what: 'its time is over' });
  });
});
