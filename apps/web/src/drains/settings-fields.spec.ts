import type { DrainSettings } from './queries.js';
import { changeOf, fieldsOf, mappingFault } from './settings-fields.js';

const SETTINGS: DrainSettings = {
  allows_token_in_url: false,
  leaves_out_static_files: true,
  mapping: { path: 'request.uri', time: 'ts', client: 'ip' },
  vercel_verify: null,
  fastly_service_ids: ['SU1', 'SU2'],
  has_vercel_secret: true,
};

it('converts a mapping and IDs to lines and back', () => {
  const values = fieldsOf(SETTINGS);
  expect([values.mapping, values.fastly_service_ids]).toEqual(['time=ts\nclient=ip\npath=request.uri', 'SU1\nSU2']);
  const { mapping, fastly_service_ids: ids } = SETTINGS;
  expect(changeOf(values, ['mapping', 'fastly_service_ids'])).toEqual({ mapping, fastly_service_ids: ids });
});

it('changes only shown fields, and the secret only if it was entered or removed', () => {
  const values = fieldsOf(SETTINGS);
  expect(changeOf({ ...values, mapping: ' ' }, ['mapping'])).toEqual({ mapping: null });
  expect(changeOf(values, ['vercel_secret', 'vercel_verify'])).toEqual({ vercel_verify: null });
  expect(changeOf({ ...values, vercel_secret: ' new secret' }, ['vercel_secret'])).toEqual({
    vercel_secret: 'new secret',
  });
  expect(changeOf({ ...values, removes_vercel_secret: true }, ['vercel_secret'])).toEqual({ vercel_secret: null });
});

it.each([
  ['', null],
  ['time=ts\n\n client = ip \npath=a=b', null],
  ['time=ts\nclient=ip', 'Add path: a visit needs time, client, path.'],
  ['time=ts\nip', '“ip” is not a field. Write field=key, one per line.'],
  ['time=', 'Enter the key for time, as in time=request.time.'],
  ['toString=x', '“toString” is not a field. Write field=key, one per line.'],
])('validates the mapping %j', (text, fault) => expect(mappingFault(text)).toBe(fault));
