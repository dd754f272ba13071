import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readCompose } from './compose.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const services = readCompose(read('docker-compose.yml'));

it('scrapes every docker-compose.yml service on its port with its metrics token', () => {
  const { scrape_configs: jobs } = parse(read('deploy/monitoring/prometheus.yml')) as {
    scrape_configs: {
      job_name: string;
      authorization: { credentials_file: string };
      dns_sd_configs: [{ names: string[]; type: string; port: number }];
    }[];
  };
  const scrapedServices = [...services.values()].filter(({ environment }) => 'PORT' in environment);
  expect(jobs).toMatchObject(
    scrapedServices.map(({ name, environment }) => ({
      job_name: name,
      authorization: { credentials_file: environment['METRICS_TOKEN_FILE'] },
      dns_sd_configs: [{ names: [name], type: 'A', port: Number(environment['PORT']) }],
    })),
  );
  expect(services.get('prometheus')!.volumes).toContainEqual({ source: 'prometheus-secrets', target: '/run/secrets' });
});

it('connects Grafana to Prometheus and to the mounted dashboards', () => {
  const folder = 'deploy/monitoring/grafana';
  const { datasources } = parse(read(`${folder}/datasources/prometheus.yml`)) as { datasources: [{ url: string }] };
  expect(services.get('prometheus')).toMatchObject({ profile: 'monitoring', networks: ['metrics'] });
  expect(datasources[0].url).toBe('http://prometheus:9090');
  const { providers } = parse(read(`${folder}/dashboards/agent-traffic.yml`)) as {
    providers: [{ options: { path: string } }];
  };
  expect(services.get('grafana')!.volumes).toContainEqual({
    source: './deploy/grafana',
    target: providers[0].options.path,
  });
});
