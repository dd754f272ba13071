import { Option } from 'commander';

export const allowPrivateOption = (): Option =>
  new Option('--allow-private', 'also fetch from private networks and from any port');
