#!/usr/bin/env python3
"""Starts Ironic, API and conductor in one process, with one change.

Ironic 39 derives the key of its cache of Redfish sessions with 600,000 rounds of PBKDF2, anew for each use of a BMC: a second of
processor time, ten times for each change of state. What was derived once is remembered here; the result is the same.
"""
import functools
import hashlib
import sys

hashlib.pbkdf2_hmac = functools.lru_cache(maxsize=4096)(hashlib.pbkdf2_hmac)

from ironic.command import singleprocess  # noqa: E402

sys.argv[0] = 'ironic'
sys.exit(singleprocess.main())
