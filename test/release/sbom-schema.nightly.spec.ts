import { findSchemaErrors } from './sbom.ts';

it('rejects invalid CycloneDX 1.5 documents', async () => {
  const sbom = { bomFormat: 'CycloneDX', specVersion: '1.5', version: 1, components: [] };
  expect(await findSchemaErrors(sbom)).toBeNull();
  expect(await findSchemaErrors({ ...sbom, components: [{ name: 'kafkajs' }] })).toContain('type');
});
