import { findMissingPackages, selectProductionPackages } from './sbom.ts';

const lockFile = {
  packages: {
    '': { version: '1.0.0', devDependencies: { jest: '1' } },
    'node_modules/kafkajs': { version: '2.2.4' },
    'node_modules/pg/node_modules/@types/pg': { version: '8.0.0' },
    'node_modules/jest': { version: '30.0.0', dev: true },
  },
};

it('selects only production packages', () => {
  expect(Object.keys(selectProductionPackages(lockFile, []).packages)).toEqual([
    '',
    'node_modules/kafkajs',
    'node_modules/pg/node_modules/@types/pg',
  ]);
  expect(selectProductionPackages(lockFile, []).packages['']).toEqual({ version: '1.0.0', dependencies: {} });
});

it('includes bundled packages without their unbundled dependencies', () => {
  const typeorm = { version: '1.1.1', dev: true, dependencies: { kafkajs: '2', jest: '30' } };
  const { packages } = selectProductionPackages(
    { packages: { ...lockFile.packages, 'node_modules/typeorm': typeorm } },
    ['node_modules/typeorm'],
  );
  expect(packages['']!.dependencies).toEqual({ typeorm: '1.1.1' });
  expect(packages['node_modules/typeorm']).toMatchObject({ version: '1.1.1', dependencies: { kafkajs: '2' } });
  expect(packages).not.toHaveProperty('node_modules/jest');
});

it('lists packages missing from the SBOM', () => {
  const components = [{ name: 'kafkajs', version: '2.2.3' }];
  expect(findMissingPackages({ components }, selectProductionPackages(lockFile, []))).toEqual([
    'kafkajs@2.2.4',
    '@types/pg@8.0.0',
  ]);
  components.push({ name: 'kafkajs', version: '2.2.4' }, { name: '@types/pg', version: '8.0.0' });
  expect(findMissingPackages({ components }, selectProductionPackages(lockFile, []))).toEqual([]);
});
