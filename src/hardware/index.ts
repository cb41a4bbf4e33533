/** BMC protocols and what depends on them. Imports nothing. */
export { accessDetails, type AccessDetails, type AccessOptions } from './access-details.js';
export { parseAddress, type BMCAddress } from './address.js';
export { BMCAddressError, type BMCAddressErrorCode } from './bmc-address-error.js';
export { driverInfo, type BMCLogin, type DriverInfo, type DriverInfoBuilder } from './driver-info.js';
export { defaultDrivers, DriverRegistry, type DriverEntry, type DriverInterfaces } from './drivers.js';
export { isHostname, isIPv4, isIPv6 } from './hostname.js';
export { chooseHardwareProfile, hardwareProfile, hardwareProfiles } from './profiles.js';
export { ironicRootDevice, type RootDevice } from './root-device.js';
