import { pino } from 'pino';
import type { InstanceSettingsRepository, RetentionOverrides } from './instance-settings.repository.js';
import { RetentionSetting } from './retention-setting.service.js';

const CONFIGURED_DAYS = 30;

function createSetting(results: (number | null | Error)[], unknown: number | null = null): RetentionSetting {
  const syncRetentionDays = async (): Promise<RetentionOverrides> => {
    const result = results.shift()!;
    if (result instanceof Error) throw result;
    return { all: result, unknown };
  };
  const repository = { syncRetentionDays } as unknown as InstanceSettingsRepository;
  return new RetentionSetting(repository, { RETENTION_DAYS: CONFIGURED_DAYS }, pino({ level: 'silent' }));
}

it('treats retention as unlimited until the setting has been read', async () => {
  const setting = createSetting([new Error('unavailable'), 365]);
  expect(setting.days).toBe(Infinity);
  await setting.refresh();
  expect([setting.days, setting.isRead]).toEqual([Infinity, false]);
  // Because the change is reported, expired visits are dropped immediately instead of up to an hour later.
  expect(await setting.refresh()).toBe(true);
  expect([setting.days, setting.isRead]).toEqual([365, true]);
});

it('uses the stored setting or the configured one, and keeps the last value if a read fails', async () => {
  const setting = createSetting([null, 7, new Error('unavailable'), null]);
  const seen = [];
  for (let read = 0; read < 4; read++) seen.push([await setting.refresh(), setting.days]);
  expect(seen).toEqual([
    [true, CONFIGURED_DAYS],
    [true, 7],
    [false, 7],
    [true, CONFIGURED_DAYS],
  ]);
});

it('caps the retention for unknown visitors at the general retention', async () => {
  const setting = createSetting([null, 3, null], 7);
  expect(setting.unknownDays).toBe(Infinity);
  const seen = [];
  for (let read = 0; read < 3; read++) {
    await setting.refresh();
    seen.push([setting.days, setting.unknownDays]);
  }
  expect(seen).toEqual([
    [CONFIGURED_DAYS, 7],
    [3, 3],
    [CONFIGURED_DAYS, 7],
  ]);
  const sharedSetting = createSetting([null]);
  expect([await sharedSetting.refresh(), sharedSetting.unknownDays]).toEqual([true, CONFIGURED_DAYS]);
});
