/** Stable codes of what can be wrong with a BMC address. */
export type BMCAddressErrorCode =
  'BMC_ADDRESS_MISSING' | 'BMC_ADDRESS_UNPARSABLE' | 'BMC_HOST_INVALID' | 'BMC_TYPE_UNKNOWN';

/** A BMC address that cannot be used. Only an edit of the host helps. */
export class BMCAddressError extends Error {
  override readonly name = 'BMCAddressError';

  constructor(
    readonly code: BMCAddressErrorCode,
    message: string,
  ) {
    super(message);
  }
}
