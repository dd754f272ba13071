import { NetworkTable } from './network-table.js';
import { SpoofTable, type SpoofTableProps } from './spoof-table.js';

/** Visits that weren't verified, by network or by claimed agent and network. */
export const UnverifiedTable = ({ isByAgent, ...props }: SpoofTableProps & { isByAgent: boolean }) =>
  isByAgent ? <SpoofTable {...props} /> : <NetworkTable {...props} />;
