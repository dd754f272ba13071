import type { Logger } from '#libs/platform';
import { register } from 'prom-client';
import { AdmissionService } from './admission.service.js';

it('counts each rejection once, no matter how often metrics are scraped', async () => {
  const service = new AdmissionService({ warn: () => undefined } as unknown as Logger);
  const counted = (): Promise<string> =>
    register.getSingleMetricAsString('agent_traffic_gateway_overload_refusals_total');
  for (let count = 0; count < 3; count += 1) service.refuse('before_body');
  service.refuse('after_body');
  for (let time = 0; time < 2; time += 1) {
    expect(await counted()).toMatch(/stage="before_body"} 3\n[^]*stage="after_body"} 1$/);
  }
  service.refuse('after_body');
  expect(await counted()).toMatch(/stage="before_body"} 3\n[^]*stage="after_body"} 2$/);
});
