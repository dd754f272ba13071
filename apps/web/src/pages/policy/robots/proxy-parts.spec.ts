import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROXIES } from './proxy-parts.js';

const DOCUMENTED = readFileSync(
  join(import.meta.dirname, '../../../../../../docs/connect/refuse-at-the-proxy.md'),
  'utf8',
);

describe.each(Object.entries(PROXIES))('configuration for %s', (_, { parts }) => {
  it('matches the configuration in the documentation', () => {
    for (const { text } of parts({ address: 'http://127.0.0.1:3000', token: 'agt_…' })) {
      expect(DOCUMENTED).toContain(`\n${text}\n\`\`\``);
    }
  });

  it('supports a remote instance with TLS', () => {
    const text = parts({ address: 'https://traffic.example', token: 'agt_…' })
      .map((part) => part.text)
      .join('\n');
    expect(text).toMatch(/https:\/\/(?:traffic\.example|agent_traffic)|traffic\.example:443 ssl/);
    expect(text).not.toContain('127.0.0.1:3000');
  });
});

it('sets the TLS server name for nginx', () => {
  const [upstream, server] = PROXIES['nginx']!.parts({ address: 'https://traffic.example', token: 'agt_…' });
  expect(upstream!.text).toContain('server traffic.example:443;');
  expect(server!.text).toContain('proxy_ssl_name traffic.example;');
});
