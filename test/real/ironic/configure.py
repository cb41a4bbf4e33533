#!/usr/bin/env python3
"""Writes what Ironic and the Redfish emulator are started with into a state folder.

usage: configure.py STATE_FOLDER IRONIC_PORT BMC_PORT WEB_PORT AGENT_PORT

Settings come from the environment, as up.sh describes them. It runs in the virtual environment, for bcrypt's sake.
"""
import configparser
import os
import pathlib
import pprint
import sys

import bcrypt

state = pathlib.Path(sys.argv[1])
ironic_port, bmc_port, web_port, agent_port = map(int, sys.argv[2:])
env = os.environ
url = (state / 'url').read_text().strip()
is_tls = url.startswith('https:')
is_basic = env['IRONCHART_IRONIC_AUTH'] == 'http_basic'
fake_delay = env['IRONCHART_IRONIC_FAKE_DELAY']
images = state / 'http' / 'images'


def write_password_file(name, user, password):
    """The least rounds that bcrypt knows: the check is made for each request."""
    digest = bcrypt.hashpw(password.encode(), bcrypt.gensalt(4)).decode()
    (state / name).write_text(f'{user}:{digest}\n')


def secret(name):
    return (state / name).read_text().strip()


def write_images():
    """Nothing here is ever run: kernel, ramdisk and boot loader are only packed into boot images."""
    for name, size in (('kernel', 65536), ('ramdisk', 65536), ('esp.img', 1474560)):
        (images / name).write_bytes(bytes(size))
    for name, fill in (('disk.raw', b'\x01'), ('other.raw', b'\x02')):
        # A partition table of one partition, so that it is told from text.
        table = bytearray(512)
        table[446:462] = bytes([0x80, 0, 2, 0, 0x83, 0, 0, 0]) + (1).to_bytes(4, 'little') + (8191).to_bytes(4, 'little')
        table[510:] = b'\x55\xaa'
        (images / name).write_bytes(bytes(table) + fill * (4 * 1024 * 1024 - 512))


def systems():
    """Machine N, from 1: its identity and its MAC addresses end in N."""
    for number in range(1, int(env['IRONCHART_IRONIC_SYSTEMS']) + 1):
        mac = f'52:54:00:{number >> 8:02x}:{number & 255:02x}'
        yield {
            'uuid': f'00000000-0000-4000-8000-{number:012x}',
            'name': f'machine-{number}',
            'power_state': 'Off',
            'external_notifier': True,
            'nics': [{'mac': f'{mac}:00', 'ip': f'192.0.2.{number % 250 + 1}'}, {'mac': f'{mac}:01', 'ip': None}],
        }


def bmc_settings():
    return {
        'SUSHY_EMULATOR_LISTEN_IP': '127.0.0.1',
        'SUSHY_EMULATOR_LISTEN_PORT': bmc_port,
        'SUSHY_EMULATOR_FAKE_DRIVER': True,
        'SUSHY_EMULATOR_STATE_DIR': str(state / 'bmc'),
        'SUSHY_EMULATOR_AUTH_FILE': str(state / 'bmc-users'),
        'EXTERNAL_NOTIFICATION_URL': f'http://127.0.0.1:{agent_port}/bmc-event',
        'SUSHY_EMULATOR_FAKE_SYSTEMS': list(systems()),
    }


def ironic_settings():
    """One process, one file as its database, and intervals in seconds where a real site has minutes."""
    settings = {
        'DEFAULT': {
            'auth_strategy': env['IRONCHART_IRONIC_AUTH'],
            'log_file': state / 'ironic.log',
            'host': 'test',
            'my_ip': '127.0.0.1',
            'state_path': state / 'ironic',
            'tempdir': state / 'tmp',
            'rpc_transport': 'none',
            'hash_ring_algorithm': 'sha256',
            'default_inspect_interface': 'agent',
            'default_network_interface': 'noop',
            'enabled_hardware_types': 'redfish,fake-hardware,idrac,manual-management',
            'enabled_bios_interfaces': 'redfish,idrac-redfish,no-bios,fake',
            'enabled_boot_interfaces': 'redfish-virtual-media,idrac-redfish-virtual-media,redfish-https,ipxe,pxe,fake',
            'enabled_console_interfaces': 'no-console,fake',
            'enabled_deploy_interfaces': 'direct,ramdisk,custom-agent,bootc,fake',
            'enabled_firmware_interfaces': 'redfish,no-firmware,fake',
            'enabled_inspect_interfaces': 'agent,redfish,no-inspect,fake',
            'enabled_management_interfaces': 'redfish,idrac-redfish,noop,fake',
            'enabled_network_interfaces': 'noop',
            'enabled_power_interfaces': 'redfish,idrac-redfish,fake',
            'enabled_raid_interfaces': 'redfish,idrac-redfish,agent,no-raid,fake',
            'enabled_rescue_interfaces': 'no-rescue,agent,fake',
            'enabled_storage_interfaces': 'noop,fake',
            'enabled_vendor_interfaces': 'redfish,idrac-redfish,no-vendor,fake',
            'grub_config_path': 'EFI/BOOT/grub.cfg',
            'minimum_memory_warning_only': 'true',
        },
        'agent': {
            'require_tls': 'false',
            'deploy_logs_collect': 'never',
            'command_wait_interval': 1,
            'command_wait_attempts': 30,
            'post_deploy_get_power_state_retry_interval': 1,
            'certificates_path': state / 'ironic' / 'certificates',
        },
        'api': {
            'host_ip': '127.0.0.1',
            'port': ironic_port,
            'public_endpoint': url,
            'ramdisk_heartbeat_timeout': 30,
            'api_workers': 1,
            'enable_ssl_api': str(is_tls).lower(),
        },
        'conductor': {
            'automated_clean': 'true',
            'heartbeat_interval': 10,
            'sync_power_state_interval': 15,
            'check_provision_state_interval': 10,
            'node_history': 'false',
            'bootloader': f'file://{images}/esp.img',
            'deploy_kernel': f'file://{images}/kernel',
            'deploy_ramdisk': f'file://{images}/ramdisk',
            'file_url_allowed_paths': images,
            'deploy_callback_timeout': 600,
            'inspect_wait_timeout': 300,
            'clean_callback_timeout': 600,
            'power_state_change_timeout': 60,
            'soft_power_off_timeout': 30,
        },
        'database': {'connection': f'sqlite:///{state}/ironic.sqlite', 'sqlite_synchronous': 'false'},
        'deploy': {
            'http_root': state / 'http',
            'http_url': f'http://127.0.0.1:{web_port}',
            'fast_track': 'false',
            'erase_devices_metadata_priority': 10,
            'erase_devices_priority': 0,
            'iso_master_path': state / 'http' / 'master_iso_images',
        },
        'dhcp': {'dhcp_provider': 'none'},
        'fake': {
            f'{what}_delay': fake_delay
            for what in ('power', 'boot', 'deploy', 'management', 'inspect', 'raid', 'bios', 'firmware')
        },
        'inspector': {
            'require_managed_boot': 'false',
            'power_off': 'true',
            'hooks': '$default_hooks,parse-lldp',
            'add_ports': 'all',
            'keep_ports': 'present',
        },
        'inventory': {'data_backend': 'database'},
        'oslo_concurrency': {'lock_path': state / 'ironic' / 'locks'},
        'pxe': {
            'images_path': state / 'http' / 'tmp',
            'instance_master_path': state / 'http' / 'master_images',
            'tftp_master_path': state / 'tftp' / 'master_images',
            'tftp_root': state / 'tftp',
        },
        'redfish': {
            'use_swift': 'false',
            'connection_attempts': 3,
            'connection_retry_interval': 1,
            'post_boot_retry_delay': 1,
        },
        'service_catalog': {'endpoint_override': url},
    }
    if is_basic:
        settings['DEFAULT']['http_basic_auth_user_file'] = state / 'ironic-users'
    if is_tls:
        settings['api'] |= {'cert_file': state / 'pki' / 'ironic.crt', 'key_file': state / 'pki' / 'ironic.key'}
    return settings


for folder in (
    'bmc', 'tmp', 'ironic/certificates', 'ironic/locks', 'tftp/master_images',
    'http/images', 'http/tmp', 'http/master_images', 'http/master_iso_images',
):
    (state / folder).mkdir(parents=True)
write_images()
write_password_file('bmc-users', secret('bmc-username'), secret('bmc-password'))
if is_basic:
    write_password_file('ironic-users', secret('auth/ironic/username'), secret('auth/ironic/password'))
(state / 'bmc.conf').write_text(
    ''.join(f'{name} = {pprint.pformat(value)}\n' for name, value in bmc_settings().items())
)
configuration = configparser.ConfigParser(interpolation=None)
configuration.read_dict({section: {k: str(v) for k, v in rows.items()} for section, rows in ironic_settings().items()})
with open(state / 'ironic.conf', 'w') as file:
    configuration.write(file)
