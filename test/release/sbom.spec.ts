import { missingFrom, productionOf, schemaFaults } from './sbom.ts';

const lock = {
  packages: {
    '': { version: '1.0.0', devDependencies: { jest: '1' } },
    'node_modules/kafkajs': { version: '2.2.4' },
    'node_modules/pg/node_modules/@types/pg': { version: '8.0.0' },
    'node_modules/jest': { version: '30.0.0', dev: true },
  },
};

it('takes what production installs', () => {
  expect(Object.keys(productionOf(lock).packages)).toEqual([
    '',
    'node_modules/kafkajs',
    'node_modules/pg/node_modules/@types/pg',
  ]);
  expect(productionOf(lock).packages['']).toEqual({ version: '1.0.0' });
});

it('names what a bill leaves out', () => {
  const components = [{ name: 'kafkajs', version: '2.2.3' }];
  expect(missingFrom({ components }, productionOf(lock))).toEqual(['kafkajs@2.2.4', '@types/pg@8.0.0']);
  components.push({ name: 'kafkajs', version: '2.2.4' }, { name: '@types/pg', version: '8.0.0' });
  expect(missingFrom({ components }, productionOf(lock))).toEqual([]);
});

it('tells a bill from anything else', async () => {
  const bill = { bomFormat: 'CycloneDX', specVersion: '1.5', version: 1, components: [] };
  expect(await schemaFaults(bill)).toBeNull();
  expect(await schemaFaults({ ...bill, components: [{ name: 'kafkajs' }] })).toContain('type');
});
