import { welcomeText } from './welcome-text.js';

it.each([
  ['GPTBot', 'verified', 'Your first visitor: GPTBot, verified'],
  ['Scrapy', 'not_verifiable', 'Your first visitor: Scrapy, not verifiable'],
  ['Googlebot', 'verification_failed', 'Your first visitor: Googlebot, failed verification'],
  [null, 'unknown_agent', 'Your first visitor: a person or an unknown agent'],
])('introduces %s (%s)', (agent_token, result, text) => {
  expect(welcomeText({ agent_token, result } as never)).toBe(text);
});
