import { describe, expect, it } from '@jest/globals';
import { failedBy, tellsSilence } from '../../../src/provisioner/ironic/bmc-silence.js';

const verify = (cause: string) =>
  `Failed to get power state for node 2f2f81a5-4012-4031-8a5d-000000000401. Error: ${cause}`;
const redfish = (cause: string) =>
  verify(
    'Redfish connection failed for node 2f2f81a5-4012-4031-8a5d-000000000401: Unable to connect to https://192.0.2.10/redfish/v1/. ' +
      `Error: HTTPSConnectionPool(host='192.0.2.10', port=443): ${cause}`,
  );
const retried = (cause: string) => redfish(`Max retries exceeded with url: /redfish/v1/ (Caused by ${cause})`);

describe('what Ironic says of a BMC', () => {
  it.each([
    [
      'refuses connections',
      retried('NewConnectionError("Failed to establish a new connection: [Errno 111] Connection refused")'),
    ],
    [
      'is unreachable',
      retried('NewConnectionError("Failed to establish a new connection: [Errno 113] No route to host")'),
    ],
    [
      'takes no connection',
      retried("ConnectTimeoutError(<c>, 'Connection to 192.0.2.10 timed out. (connect timeout=60)')"),
    ],
    ['answers nothing', redfish('Read timed out. (read timeout=60)')],
    [
      'breaks off',
      verify("('Connection aborted.', RemoteDisconnected('Remote end closed connection without response'))"),
    ],
    [
      'is starting',
      verify(
        'Redfish exception occurred. Error: HTTP GET https://192.0.2.10/redfish/v1/ returned code 503. unknown error',
      ),
    ],
    ['speaks IPMI', verify('IPMI call failed: power status.')],
    ['speaks IPMI, told by ipmitool', 'Error: Unable to establish IPMI v2 / RMCP+ session'],
    [
      'fails while it switches',
      "Failed to change power state to 'power on': Unable to connect to https://192.0.2.10/redfish/v1/",
    ],
  ])('that %s: it gave no answer', (_what, text) => {
    expect(tellsSilence(text)).toBe(true);
    expect(failedBy(text, 'Behind: ')).toEqual({ kind: 'failed', message: `Behind: ${text}`, isSilent: true });
  });

  it.each([
    [
      'refuses the password',
      verify(
        'Redfish exception occurred. Error: HTTP GET http://192.0.2.10/redfish/v1/Systems/1 returned code 401. Base.1.0.GeneralError: Incorrect username or password',
      ),
    ],
    ['forbids it', verify('HTTP GET http://192.0.2.10/redfish/v1/Systems/1 returned code 403. unknown error')],
    [
      'refuses to open a session',
      verify('Unable to connect to https://192.0.2.10/redfish/v1/SessionService. Error: authentication error'),
    ],
    [
      'has another certificate',
      retried('SSLError(SSLCertVerificationError(1, "certificate verify failed: self-signed certificate"))'),
    ],
    [
      'has a name that nobody knows',
      retried("NameResolutionError('Failed to resolve bmc.example.com ([Errno -2] Name or service not known)')"),
    ],
    [
      'has no such system',
      verify('Redfish exception occurred. Error: Resource http://192.0.2.10/redfish/v1/Systems/9 not found'),
    ],
    ['switches off too slowly', "Failed to change power state to 'soft power off': Timed out waiting for the machine"],
    [
      'is not described',
      'Failed to validate power driver interface for node 1. Error: Missing the following Redfish properties',
    ],
    ['is not spoken of', ''],
  ])('that %s: it is a refusal', (_what, text) => {
    expect(tellsSilence(text)).toBe(false);
    expect(failedBy(text)).toEqual({ kind: 'failed', message: text });
  });
});
