import type { DrainSettings } from './queries.js';
import { toDrainSettingsChange, toDrainFields, validateMapping } from './settings-fields.js';

const SETTINGS: DrainSettings = {
  allows_token_in_url: false,
  leaves_out_static_files: true,
  mapping: { path: 'request.uri', time: 'ts', client: 'ip' },
  vercel_verify: null,
  fastly_service_ids: ['SU1', 'SU2'],
  has_vercel_secret: true,
};

it('converts a mapping and IDs to lines and back', () => {
  const values = toDrainFields(SETTINGS);
  expect([values.mapping, values.fastly_service_ids]).toEqual(['time=ts\nclient=ip\npath=request.uri', 'SU1\nSU2']);
  const { mapping, fastly_service_ids: ids } = SETTINGS;
  expect(toDrainSettingsChange(values, ['mapping', 'fastly_service_ids'])).toEqual({
    mapping,
    fastly_service_ids: ids,
  });
});

it('changes only visible fields, and the secret only if it was entered or removed', () => {
  const values = toDrainFields(SETTINGS);
  expect(toDrainSettingsChange({ ...values, mapping: ' ' }, ['mapping'])).toEqual({ mapping: null });
  expect(toDrainSettingsChange(values, ['vercel_secret', 'vercel_verify'])).toEqual({ vercel_verify: null });
  expect(toDrainSettingsChange({ ...values, vercel_secret: ' new secret' }, ['vercel_secret'])).toEqual({
    vercel_secret: 'new secret',
  });
  expect(toDrainSettingsChange({ ...values, removes_vercel_secret: true }, ['vercel_secret'])).toEqual({
    vercel_secret: null,
  });
});

it.each([
  ['', null],
  ['time=ts\n\n client = ip \npath=a=b', null],
  ['time=ts\nclient=ip', 'Add path. Required fields: time, client, path.'],
  ['time=ts\nip', '“ip” isn’t a field. Enter one field=key pair per line.'],
  ['time=', 'Enter a key for time, such as time=request.time.'],
  ['toString=x', '“toString” isn’t a field. Enter one field=key pair per line.'],
])('validates the mapping %j', (text, fault) => expect(validateMapping(text)).toBe(fault));
