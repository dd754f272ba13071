import { getRequestedFormat, getResponseFormat } from './content-format.js';

it.each([
  [null, 'none'],
  [' ', 'none'],
  ['*/*', 'any'],
  ['*/*;q=0.1', 'any'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8', 'html'],
  ['application/xhtml+xml', 'html'],
  ['text/markdown, text/html;q=0.9, */*;q=0.1', 'markdown'],
  ['text/html;q=0.9, Text/Markdown', 'markdown'],
  ['*/*, text/markdown', 'markdown'],
  ['text/html, text/markdown', 'html'],
  ['text/x-markdown;variant=GFM;q=0.8', 'markdown'],
  ['application/json, text/event-stream', 'json'],
  ['application/ld+json', 'json'],
  ['text/plain', 'text'],
  ['text/*', 'text'],
  ['image/avif,image/webp,*/*;q=0.8', 'other'],
  ['text/html;q=0, text/markdown;q=0.2', 'markdown'],
  ['text/html;q=x', 'any'],
  ['nonsense', 'other'],
  ['*/*;q=0.5, text/plain;q=0.5', 'text'],
  ['text/html, text/markdown;q=2', 'html'],
  ['text/markdown;q=0.5,', 'markdown'],
])('reads the format that "Accept: %s" prefers as %s', (accept, format) => {
  expect(getRequestedFormat(accept)).toBe(format);
});

it.each([
  [null, 'none'],
  ['', 'none'],
  ['text/html; charset=utf-8', 'html'],
  ['TEXT/MARKDOWN;charset=utf-8', 'markdown'],
  ['application/problem+json', 'json'],
  ['text/plain', 'text'],
  ['application/pdf', 'other'],
  ['image/svg+json', 'other'],
])('reads the format of "Content-Type: %s" as %s', (type, format) => {
  expect(getResponseFormat(type)).toBe(format);
});
