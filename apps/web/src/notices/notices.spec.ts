import { dismissNotice, getNotices, notify, subscribeToNotices } from './notices.js';

const getTexts = (): string[] => getNotices().map(({ text }) => text);

describe('notices', () => {
  it('retains the three newest notices until they are dismissed', () => {
    for (const text of ['one', 'two', 'three', 'four']) notify({ text });
    expect(getTexts()).toEqual(['two', 'three', 'four']);
    dismissNotice(getNotices()[1]!.id);
    expect(getTexts()).toEqual(['two', 'four']);
  });

  it('calls listeners until they unsubscribe', () => {
    let calls = 0;
    const unsubscribe = subscribeToNotices(() => (calls += 1));
    notify({ text: 'five' });
    unsubscribe();
    notify({ text: 'six' });
    expect(calls).toBe(1);
  });
});
