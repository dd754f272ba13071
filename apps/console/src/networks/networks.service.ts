import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { parseAddress } from '#libs/agents';
import type { ClientNetwork, NetworkFileState } from '#libs/contracts';
import { LOGGER, type Logger, PeriodicTask } from '#libs/platform';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../console-settings.js';
import { NetworkFile } from './network-file.js';

const CHECK_INTERVAL_MS = 2_000;

/**
 * Looks up an address's network, network operator and country in MMDB files supplied by the operator. Results aren't
 * stored.
 */
@Injectable()
export class NetworksService implements OnModuleInit, OnModuleDestroy {
  private readonly asn: NetworkFile | null;
  private readonly geoip: NetworkFile | null;
  private readonly refreshTask = new PeriodicTask(
    () => this.refresh(),
    CHECK_INTERVAL_MS,
    (error) => this.logger.error({ err: error }, 'failed to check the network files for changes'),
  );

  constructor(
    @Inject(CONSOLE_SETTINGS) { ASN_FILE: asn, GEOIP_FILE: geoip }: Pick<ConsoleSettings, 'ASN_FILE' | 'GEOIP_FILE'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.asn = asn === undefined ? null : new NetworkFile(asn, 'ASN_FILE', logger);
    // If both settings refer to the same file, load it only once.
    if (geoip === undefined) this.geoip = null;
    else this.geoip = geoip === asn ? this.asn : new NetworkFile(geoip, 'GEOIP_FILE', logger);
  }

  /** Whether network operators can be looked up. */
  get hasOperators(): boolean {
    return this.asn !== null;
  }

  get states(): NetworkFileState[] {
    return [
      ...(this.asn === null ? [] : [{ setting: 'ASN_FILE' as const, ...this.asn.state }]),
      ...(this.geoip === null ? [] : [{ setting: 'GEOIP_FILE' as const, ...this.geoip.state }]),
    ];
  }

  async onModuleInit(): Promise<void> {
    if (this.asn === null && this.geoip === null) return;
    await this.refresh();
    this.refreshTask.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.refreshTask.stop();
  }

  /** Returns null if the text isn't an IP address, or if the files contain no data about it. */
  find(text: string | null): ClientNetwork | null {
    const address = text === null ? null : parseAddress(text);
    if (address === null) return null;
    const asn = this.asn?.find(address) ?? null;
    const geoip = this.geoip?.find(address) ?? null;
    const operator = [asn, geoip].find((found) => found !== null && (found.as_number ?? found.operator_name) !== null);
    const country = geoip?.country_code ?? asn?.country_code ?? null;
    if (operator === undefined || operator === null) {
      return country === null ? null : { prefix: null, as_number: null, operator_name: null, country_code: country };
    }
    return { ...operator, country_code: country };
  }

  private async refresh(): Promise<void> {
    await this.asn?.refresh();
    if (this.geoip !== this.asn) await this.geoip?.refresh();
  }
}
