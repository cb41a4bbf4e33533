/** The settings of the Ironic back end, from environment variables. Provisioner spec, section 2.4. */
import { z } from 'zod';
import { InputError } from '../errors.js';
import type { IronicConfig, PersistentBootDevice } from '../provisioner/ironic/index.js';
import { parseGoDuration } from './go-duration.js';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface IronicFeatures {
  /** Agent images are built for each host: then a ramdisk need not be configured. */
  readonly imageBuilder: boolean;
  /** An object of the cluster says where Ironic is: then the environment need not. */
  readonly inCluster?: boolean;
}

/** The Ironic object of the cluster that IRONIC_NAME speaks of. */
export interface IronicReference {
  readonly namespace: string;
  readonly name: string;
}

/**
 * undefined: the environment itself says where Ironic is. The namespace is IRONIC_NAMESPACE, else the operator's own, else the
 * only one that it watches.
 */
export function ironicReference(environment: Environment, watched: readonly string[]): IronicReference | undefined {
  const { IRONIC_NAME: name = '', IRONIC_NAMESPACE, POD_NAMESPACE } = environment;
  const [only = ''] = watched.length === 1 ? watched : [];
  const namespace = IRONIC_NAMESPACE || POD_NAMESPACE || only;
  return name === '' || namespace === '' ? undefined : { namespace, name };
}

/** @throws InputError for the first setting that is wrong. */
export function ironicConfig(environment: Environment, features: IronicFeatures): IronicConfig {
  const read = schemaFor(features).safeParse(withoutBlanks(environment));
  if (read.success) return read.data;
  const issue = read.error.issues[0]!;
  const [problem, remedy] = issue.message.split('; ');
  throw new InputError(String(issue.path[0] ?? 'IRONIC_ENDPOINT'), problem!, remedy ?? 'correct it or unset it');
}

/** A variable that is set to nothing counts as not set. */
function withoutBlanks(environment: Environment): Record<string, string> {
  const entries = Object.entries(environment).filter((entry): entry is [string, string] => !!entry[1]);
  return Object.fromEntries(entries);
}

const text = (fallback = '') => z.string().default(fallback);
const flag = text().transform((value) => value.toLowerCase() === 'true');

function duration(fallback: string, accepts: (ms: number) => boolean, problem: string) {
  return text(fallback).transform((value, context) => {
    const ms = parseGoDuration(value);
    if (ms !== undefined && accepts(ms)) return ms;
    const what =
      ms === undefined ? `${JSON.stringify(value)} is not a duration` : `${JSON.stringify(value)} ${problem}`;
    context.addIssue({ code: 'custom', message: `${what}; write for example 5s or 1m30s` });
    return z.NEVER;
  });
}

const bootDevice = z
  .enum(['Default', 'Always', 'Never'] satisfies PersistentBootDevice[], {
    error: ({ input }) => `${JSON.stringify(input)} is unknown; choose Default, Always or Never`,
  })
  .default('Default');

const endpoint = z
  .string({ error: 'is not set; give the URL of the Ironic API, such as http://ironic:6385/v1/' })
  .refine((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol), {
    error: 'is not an http or https URL; write for example http://ironic:6385/v1/',
  })
  .refine((value) => !URL.canParse(value) || new URL(value).username + new URL(value).password === '', {
    error: 'holds credentials; put them into files below METAL3_AUTH_ROOT_DIR',
  });

const limit = text('20')
  .refine((value) => /^[+-]?\d+$/.test(value), {
    error: ({ input }) => `${JSON.stringify(input)} is not a whole number; give one, such as 20`,
  })
  .transform(Number);

/** Programs differ in the case that they read. */
const proxyVariables = { HTTP_PROXY: text(), HTTPS_PROXY: text(), NO_PROXY: text() };
const lowerCaseProxyVariables = { http_proxy: text(), https_proxy: text(), no_proxy: text() };

const certificates = '/opt/metal3/certs';

const variables = z.object({
  IRONIC_ENDPOINT: endpoint,
  METAL3_AUTH_ROOT_DIR: text('/opt/metal3/auth'),
  IRONIC_CACERT_FILE: text(`${certificates}/ca/tls.crt`),
  IRONIC_CLIENT_CERT_FILE: text(`${certificates}/client/tls.crt`),
  IRONIC_CLIENT_PRIVATE_KEY_FILE: text(`${certificates}/client/tls.key`),
  IRONIC_INSECURE: flag,
  IRONIC_CLIENT_CACHE_TTL: duration('5s', (ms) => ms >= 0, 'must be >= 0'),
  IRONIC_CLIENT_TIMEOUT: duration('30s', (ms) => ms > 0, 'must be > 0'),
  DEPLOY_KERNEL_URL: text(),
  DEPLOY_RAMDISK_URL: text(),
  DEPLOY_ISO_URL: text(),
  PROVISIONING_LIMIT: limit,
  LIVE_ISO_FORCE_PERSISTENT_BOOT_DEVICE: bootDevice,
  DIRECT_DEPLOY_FORCE_PERSISTENT_BOOT_DEVICE: bootDevice,
  IRONIC_EXTERNAL_URL_V6: text().refine((value) => value === '' || URL.canParse(value), {
    error: 'is not a URL; write for example http://[2001:db8::1]:6180',
  }),
  PROVISIONING_NETWORK_DISABLED: flag,
  ...proxyVariables,
  ...lowerCaseProxyVariables,
});

function schemaFor({ imageBuilder, inCluster = false }: IronicFeatures) {
  return (
    inCluster
      ? variables.extend({
          IRONIC_ENDPOINT: z
            .string()
            .transform(() => '')
            .default(''),
        })
      : variables
  )
    .superRefine((value, context) => {
      const problem = deployImageProblem(value, imageBuilder);
      if (problem) context.addIssue({ code: 'custom', path: ['DEPLOY_RAMDISK_URL'], message: problem });
    })
    .transform((value): IronicConfig =>
      Object.freeze({
        endpoint: value.IRONIC_ENDPOINT,
        authDirectory: `${value.METAL3_AUTH_ROOT_DIR}/ironic`,
        caFile: value.IRONIC_CACERT_FILE,
        certificateFile: value.IRONIC_CLIENT_CERT_FILE,
        keyFile: value.IRONIC_CLIENT_PRIVATE_KEY_FILE,
        insecure: value.IRONIC_INSECURE,
        readinessTTLMs: value.IRONIC_CLIENT_CACHE_TTL,
        timeoutMs: value.IRONIC_CLIENT_TIMEOUT,
        deployKernelURL: value.DEPLOY_KERNEL_URL,
        deployRamdiskURL: value.DEPLOY_RAMDISK_URL,
        deployISOURL: value.DEPLOY_ISO_URL,
        provisioningLimit: value.PROVISIONING_LIMIT,
        liveISOPersistentBootDevice: value.LIVE_ISO_FORCE_PERSISTENT_BOOT_DEVICE,
        directDeployPersistentBootDevice: value.DIRECT_DEPLOY_FORCE_PERSISTENT_BOOT_DEVICE,
        externalURLv6: value.IRONIC_EXTERNAL_URL_V6,
        provisioningNetworkDisabled: value.PROVISIONING_NETWORK_DISABLED,
        imageBuilder,
        proxy: Object.freeze({
          httpProxy: value.HTTP_PROXY || value.http_proxy,
          httpsProxy: value.HTTPS_PROXY || value.https_proxy,
          noProxy: value.NO_PROXY || value.no_proxy,
        }),
      }),
    );
}

function deployImageProblem(
  value: { DEPLOY_KERNEL_URL: string; DEPLOY_RAMDISK_URL: string },
  imageBuilder: boolean,
): string | undefined {
  const [kernel, ramdisk] = [value.DEPLOY_KERNEL_URL !== '', value.DEPLOY_RAMDISK_URL !== ''];
  if (imageBuilder) return ramdisk && !kernel ? 'requires DEPLOY_KERNEL_URL to be set too; set both' : undefined;
  if (kernel === ramdisk) return undefined;
  return 'DEPLOY_KERNEL_URL and DEPLOY_RAMDISK_URL can only be set together; set both or neither';
}
