import { bool, EnvError, makeValidator, str } from 'envalid';

export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export interface TracingOptions {
  sampler: (typeof SAMPLERS)[number];
  /** Share of traces to record, 0–1. Only for samplers by ratio. */
  ratio: number;
}

const share = makeValidator<number>((text) => {
  const value = Number(text);
  if (!(value >= 0 && value <= 1)) throw new EnvError(`must be a number from 0 to 1, not ${JSON.stringify(text)}`);
  return value;
});

const address = makeValidator<string>((text) => {
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? '')) throw new EnvError('must be an http or https address');
  return text;
});

/**
 * OpenTelemetry variables that enable tracing and select traces. The exporter itself reads the variables for its target
 * and credentials.
 */
export const tracingSettings = {
  OTEL_SDK_DISABLED: bool({ default: false, desc: 'Switches tracing off, whatever else is set' }),
  OTEL_TRACES_EXPORTER: str({
    choices: ['otlp', 'none'],
    default: undefined,
    desc: 'otlp switches tracing on, also without an address',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: address({ default: undefined, desc: 'Address of a collector; switches tracing on' }),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: address({
    default: undefined,
    desc: 'Address that traces are posted to; switches tracing on',
  }),
  OTEL_EXPORTER_OTLP_PROTOCOL: str({
    choices: ['http/protobuf'],
    default: 'http/protobuf',
    desc: 'How spans are sent',
  }),
  OTEL_TRACES_SAMPLER: str({ choices: SAMPLERS, default: 'parentbased_always_on', desc: 'Which traces are recorded' }),
  OTEL_TRACES_SAMPLER_ARG: share({ default: 1, desc: 'Share of traces that samplers by ratio record, from 0 to 1' }),
};

/** Returns the tracing options, or null if tracing is off. */
export function tracingOptions(settings: {
  [Name in keyof typeof tracingSettings]: string | number | boolean | undefined;
}): TracingOptions | null {
  const { OTEL_SDK_DISABLED: isDisabled, OTEL_TRACES_EXPORTER: exporter } = settings;
  const target = settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? settings.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (isDisabled === true || exporter === 'none' || (exporter ?? target) === undefined) return null;
  return {
    sampler: settings.OTEL_TRACES_SAMPLER as TracingOptions['sampler'],
    ratio: Number(settings.OTEL_TRACES_SAMPLER_ARG),
  };
}
