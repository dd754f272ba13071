import { findKeptOut, readUsage } from './site-state.js';

const AGENT = 'User-agent: a\nDisallow: /\n';

it('finds the agents that a file asks to stay away', () => {
  const { names, isEveryone } = findKeptOut(`${AGENT}\nUser-agent: b\nUser-agent: A\nDisallow: /x\n`);
  expect([names, isEveryone]).toEqual([['A'], false]);
  expect(findKeptOut(`${AGENT}Allow: /x\n`).names).toEqual([]);
  expect(findKeptOut('User-agent: *\nDisallow: /*\n')).toMatchObject({ names: [], isEveryone: true });
});

it('reads the preferences for all agents and all paths', () => {
  expect(
    readUsage(
      'User-agent: *\nContent-Signal: search=yes, ai-train=no\nContent-Usage: train-ai=y, other=n\nContent-Usage: /a ai-use=n\n' +
        'Disallow:\nUser-agent: a\nContent-Signal: ai-input=no\nLicense: /relative\nLicense: https://a.example/1\n',
    ),
  ).toEqual({
    content_signal: { search: true, ai_train: false },
    content_usage: { train_ai: true },
    license: 'https://a.example/1',
  });
  expect(readUsage('')).toEqual({});
});
