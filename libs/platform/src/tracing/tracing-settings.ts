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
  /** Share of traces to record, 0–1. Applies only to ratio samplers. */
  ratio: number;
}

const ratioValidator = makeValidator<number>((text) => {
  const value = Number(text);
  if (!(value >= 0 && value <= 1)) throw new EnvError(`must be a number from 0 to 1 (got ${JSON.stringify(text)})`);
  return value;
});

const httpUrl = makeValidator<string>((text) => {
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? '')) throw new EnvError('must be an http or https URL');
  return text;
});

/**
 * OpenTelemetry variables that enable tracing and select traces. The exporter itself reads the variables for its
 * endpoint and credentials.
 */
export const tracingSettings = {
  OTEL_SDK_DISABLED: bool({ default: false, desc: 'Turns tracing off, regardless of other settings' }),
  OTEL_TRACES_EXPORTER: str({
    choices: ['otlp', 'none'],
    default: undefined,
    desc: 'otlp turns tracing on even without an endpoint',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl({ default: undefined, desc: 'Collector URL. Turns tracing on' }),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: httpUrl({
    default: undefined,
    desc: 'URL that traces are posted to. Turns tracing on',
  }),
  OTEL_EXPORTER_OTLP_PROTOCOL: str({
    choices: ['http/protobuf'],
    default: 'http/protobuf',
    desc: 'Protocol for exporting spans',
  }),
  OTEL_TRACES_SAMPLER: str({
    choices: SAMPLERS,
    default: 'parentbased_always_on',
    desc: 'Sampler that selects which traces to record',
  }),
  OTEL_TRACES_SAMPLER_ARG: ratioValidator({
    default: 1,
    desc: 'Share of traces that ratio samplers record, from 0 to 1',
  }),
};

/** Returns the tracing options, or null if tracing is off. */
export function tracingOptions(settings: {
  [Name in keyof typeof tracingSettings]: string | number | boolean | undefined;
}): TracingOptions | null {
  const { OTEL_SDK_DISABLED: isDisabled, OTEL_TRACES_EXPORTER: exporter } = settings;
  const endpoint = settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? settings.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (isDisabled === true || exporter === 'none' || (exporter ?? endpoint) === undefined) return null;
  return {
    sampler: settings.OTEL_TRACES_SAMPLER as TracingOptions['sampler'],
    ratio: Number(settings.OTEL_TRACES_SAMPLER_ARG),
  };
}
