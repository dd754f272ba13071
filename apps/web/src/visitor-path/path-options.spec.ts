import { OTHER, pathChoice, pathOptions, describePath, toTrustedProxies } from './path-options.js';

const NETWORKS = ['Cloudflare', 'Fastly'];

it.each([
  [{}, 'through any known network'],
  [{ ranges: ['203.0.113.0/24'] }, 'through any known network'],
  [{ mode: 'none' as const }, 'directly, without another proxy in front'],
  [{ networks: [] }, 'through your own proxies only'],
  [{ networks: ['Fastly'], ranges: ['203.0.113.0/24'] }, 'through Fastly'],
])('offers %j as a choice and saves it unchanged', (setting, text) => {
  const choice = pathChoice(setting);
  expect(pathOptions(NETWORKS, setting).map(({ value }) => value)).toContain(choice);
  expect(toTrustedProxies(choice, setting)).toEqual(setting);
  expect(describePath(setting)).toBe(text);
});

it.each([
  [{ hops: 1 }, 'Through one proxy'],
  [{ hops: 3 }, 'Through 3 proxies'],
  [{ header: 'x-real-ip' }, 'Through a proxy that sets x-real-ip'],
  [{ networks: ['Cloudflare', 'Fastly'] }, 'Through Cloudflare and Fastly'],
])('shows %j without offering it as a choice', (setting, label) => {
  expect(pathChoice(setting)).toBe(OTHER);
  expect(pathOptions(NETWORKS, setting)).toContainEqual({ value: OTHER, label });
  expect(pathOptions(NETWORKS, {}).map(({ value }) => value)).not.toContain(OTHER);
});
