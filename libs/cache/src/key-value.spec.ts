import { until } from '../../../test/kit/instance.js';
import { InMemoryKeyValueStore } from './key-value.js';

describe('InMemoryKeyValueStore', () => {
  it('stores values until they are deleted', async () => {
    const values = new InMemoryKeyValueStore();
    await values.set('key', 'value', 60);
    expect(await values.get('key')).toBe('value');
    await values.delete('key');
    expect(await values.get('key')).toBeNull();
  });

  it('grants a claim to one caller until it is released', async () => {
    const values = new InMemoryKeyValueStore();
    const claims = await Promise.all([values.claim('held', 60), values.claim('held', 60), values.claim('other', 60)]);
    expect(claims).toEqual([true, false, true]);
    await values.delete('held');
    expect(await values.claim('held', 60)).toBe(true);
  });

  it('releases a claim when it expires', async () => {
    const values = new InMemoryKeyValueStore();
    expect(await values.claim('held', 0.001)).toBe(true);
    await until(() => values.claim('held', 0.001), { condition: 'the claim expires' });
  });
});
