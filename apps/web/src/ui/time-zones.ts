/** Current IANA names for time zones that browsers still report by an old name. */
const CURRENT_NAMES: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Etc/UTC': 'UTC',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

const toCurrentName = (zone: string): string => CURRENT_NAMES[zone] ?? zone;

export const getBrowserTimeZone = (): string => toCurrentName(Intl.DateTimeFormat().resolvedOptions().timeZone);

/** Returns the current names of all time zones that the browser supports, with UTC first and the rest sorted. */
export function listTimeZones(): string[] {
  const zones = new Set(Intl.supportedValuesOf('timeZone').map(toCurrentName));
  zones.delete('UTC');
  return ['UTC', ...[...zones].toSorted()];
}
