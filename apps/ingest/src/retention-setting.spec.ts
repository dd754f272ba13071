import { pino } from 'pino';
import type { InstanceSettingsRepository, SetDays } from './instance-settings.repository.js';
import { RetentionSetting } from './retention-setting.service.js';

const CONFIGURED = 30;

function settingOf(answers: (number | null | Error)[], unknown: number | null = null): RetentionSetting {
  const retentionDays = async (): Promise<SetDays> => {
    const answer = answers.shift()!;
    if (answer instanceof Error) throw answer;
    return { all: answer, unknown };
  };
  const repository = { retentionDays } as unknown as InstanceSettingsRepository;
  return new RetentionSetting(repository, { RETENTION_DAYS: CONFIGURED }, pino({ level: 'silent' }));
}

it('treats retention as unlimited until the setting is read', async () => {
  const setting = settingOf([new Error('away'), 365]);
  expect(setting.days).toBe(Infinity);
  await setting.refresh();
  expect([setting.days, setting.isRead]).toEqual([Infinity, false]);
  // Reports the change, so visits past retention are dropped at once, not an hour later.
  expect(await setting.refresh()).toBe(true);
  expect([setting.days, setting.isRead]).toEqual([365, true]);
});

it('uses the stored setting or the configured one, and stays unchanged while reads fail', async () => {
  const setting = settingOf([null, 7, new Error('away'), null]);
  const seen = [];
  for (let look = 0; look < 4; look++) seen.push([await setting.refresh(), setting.days]);
  expect(seen).toEqual([
    [true, CONFIGURED],
    [true, 7],
    [false, 7],
    [true, CONFIGURED],
  ]);
});

it('limits the retention of unknown visitors to that of other visits', async () => {
  const setting = settingOf([null, 3, null], 7);
  expect(setting.unknownDays).toBe(Infinity);
  const seen = [];
  for (let look = 0; look < 3; look++) {
    await setting.refresh();
    seen.push([setting.days, setting.unknownDays]);
  }
  expect(seen).toEqual([
    [CONFIGURED, 7],
    [3, 3],
    [CONFIGURED, 7],
  ]);
  const together = settingOf([null]);
  expect([await together.refresh(), together.unknownDays]).toEqual([true, CONFIGURED]);
});
