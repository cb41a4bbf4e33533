/** Where Ironic is, when that is not a setting but is to be found out anew from time to time. */
import type { BasicAuth } from './client/index.js';

export interface IronicEndpoint {
  /** URL of the API, with or without a version in its path; without credentials. */
  readonly endpoint: string;
  readonly auth: BasicAuth;
  /** Certificates (PEM) of the only authorities to be trusted; undefined: those of the settings. For https alone. */
  readonly ca: string | undefined;
}

export interface IronicEndpointSource {
  /** Asked whenever readiness is asked for. @throws IronchartError when there is no Ironic to be used. */
  read(): Promise<IronicEndpoint>;
}
