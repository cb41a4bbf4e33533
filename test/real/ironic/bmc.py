#!/usr/bin/env python3
"""Redfish BMCs of machines that are not there: sushy-tools' emulator with its fake driver, and what that driver lacks.

usage: bmc.py SETTINGS_FILE

* Power changes at once, where the stock driver takes some random seconds, and a restart can be seen as off, then on.
* There are BIOS settings, firmware versions, memory and processors.

Each change is told to the fake agent (EXTERNAL_NOTIFICATION_URL).
"""
import sys

from sushy_tools import error
from sushy_tools.emulator import main as emulator
from sushy_tools.emulator.resources.systems.fakedriver import FakeDriver

BIOS = {
    'BootMode': 'Uefi',
    'EmbeddedSata': 'Raid',
    'NicBoot1': 'NetworkBoot',
    'NumLock': 'On',
    'ProcTurboMode': 'Enabled',
}
VERSIONS = {'BiosVersion': '1.0.0'}
POWER_WAYS = {
    'On': ['On'],
    'ForceOn': ['On'],
    'ForceOff': ['Off'],
    'GracefulShutdown': ['Off'],
    'ForceRestart': ['Off', 'On'],
    'GracefulRestart': ['Off', 'On'],
    'PowerCycle': ['Off', 'On'],
    'Nmi': [],
}


class Machines(FakeDriver):
    """The names of the methods are those that the emulator calls."""

    def set_power_state(self, identity, state):
        if state not in POWER_WAYS:
            raise error.NotSupportedError(f'Power state {state} is not supported')
        for target in POWER_WAYS[state]:
            if self._get(identity)['power_state'] != target:
                self._update(identity, power_state=target)

    def get_bios(self, identity):
        return {**BIOS, **self._get(identity).get('bios', {})}

    def set_bios(self, identity, attributes):
        unknown = sorted(set(attributes) - set(BIOS))
        if unknown:
            raise error.BadRequest(f'There is no BIOS setting {", ".join(unknown)}')
        self._update(identity, bios={**self.get_bios(identity), **attributes})

    def reset_bios(self, identity):
        self._update(identity, bios={})

    def get_versions(self, identity):
        return {**VERSIONS, **self._get(identity).get('versions', {})}

    def set_versions(self, identity, versions):
        self._update(identity, versions={**self.get_versions(identity), **versions})

    def reset_versions(self, identity):
        self._update(identity, versions={})

    def get_total_memory(self, identity):
        return 32

    def get_total_cpus(self, identity):
        return 8


# The emulator makes its driver from the module's class by name.
emulator.fakedriver.FakeDriver = Machines

if __name__ == '__main__':
    app = emulator.app
    app.configure(config_file=sys.argv[1])
    app.run(
        host=app.config['SUSHY_EMULATOR_LISTEN_IP'], port=app.config['SUSHY_EMULATOR_LISTEN_PORT'], threaded=True
    )
