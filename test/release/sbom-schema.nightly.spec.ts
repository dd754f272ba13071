import { schemaFaults } from './sbom.ts';

it('rejects documents that are not valid CycloneDX 1.5', async () => {
  const bill = { bomFormat: 'CycloneDX', specVersion: '1.5', version: 1, components: [] };
  expect(await schemaFaults(bill)).toBeNull();
  expect(await schemaFaults({ ...bill, components: [{ name: 'kafkajs' }] })).toContain('type');
});
