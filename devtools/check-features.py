#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

"""Compare what the driver's pages claim with the driver's source, both ways.

* Each row of nics/features/bcm4908.ini must have the operations, fields and code
  that make the feature, in the ops table of every DPDK release.
* What has all of them must have a row, or a reason in NOT_CLAIMED.
* Each operation must belong to a feature, or be one that no feature is about.
* With a DPDK source tree, rows must be known to its default.ini, in its order.
* The guide must name every device argument and every extended statistic.

usage: check-features.py [DPDK source tree]
"""

import configparser
import pathlib
import re
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent
DRIVER = TOP / "drivers" / "net" / "bcm4908"
GUIDE = TOP / "doc" / "guides" / "nics" / "bcm4908.rst"
INI = TOP / "doc" / "guides" / "nics" / "features" / "bcm4908.ini"
# One ops table per DPDK release, the newest with the driver.
OPS_FILES = [DRIVER / "bcm4908_ops.c",
             *sorted((TOP / "drivers" / "compat").glob("*/bcm4908_ops.c"))]


def op(*names):
    """Operations of struct eth_dev_ops."""
    return [("op", name) for name in names]


def field(*names):
    """Functions that stand in struct rte_eth_dev itself."""
    return [("field", name) for name in names]


def code(*patterns):
    """Regular expressions that the driver's code, without comments, must match."""
    return [("code", pattern) for pattern in patterns]


def ops_code(*patterns):
    """The same for each file of an ops table."""
    return [("ops_code", pattern) for pattern in patterns]


def build(*patterns):
    """The same for the driver's meson.build."""
    return [("build", pattern) for pattern in patterns]


def offload(direction, *names):
    """Offload capabilities."""
    return [("offload", f"RTE_ETH_{direction}_OFFLOAD_{name}") for name in names]


# What makes each feature: DPDK's doc/guides/nics/features.rst, and what ethdev asks for.
FEATURES = {
    "Speed capabilities": code(r"->speed_capa = RTE_ETH_LINK_SPEED_"),
    "Link status": op("link_update") + code(r"\brte_eth_linkstatus_set\("),
    "Link status event": code(r"\bRTE_ETH_DEV_INTR_LSC\b", r"\bintr_conf\.lsc\b",
                              r"callback_process\([^;]*RTE_ETH_EVENT_INTR_LSC\b"),
    "Removal event": code(r"\bRTE_ETH_DEV_INTR_RMV\b"),
    "Queue status event": code(r"\bRTE_ETH_EVENT_QUEUE_STATE\b"),
    "Rx interrupt": op("rx_queue_intr_enable", "rx_queue_intr_disable"),
    "Lock-free Tx queue": offload("TX", "MT_LOCKFREE"),
    "Fast mbuf free": offload("TX", "MBUF_FAST_FREE")
                      + code(r"->tx_queue_offload_capa = [^;]*MBUF_FAST_FREE"),
    "Free Tx mbuf on demand": op("tx_done_cleanup"),
    "Queue start/stop": op("rx_queue_start", "rx_queue_stop", "tx_queue_start",
                           "tx_queue_stop"),
    "Runtime Rx queue setup": code(r"\bRTE_ETH_DEV_CAPA_RUNTIME_RX_QUEUE_SETUP\b"),
    "Runtime Tx queue setup": code(r"\bRTE_ETH_DEV_CAPA_RUNTIME_TX_QUEUE_SETUP\b"),
    "Shared Rx queue": code(r"\bRTE_ETH_DEV_CAPA_RXQ_SHARE\b"),
    "Burst mode info": op("rx_burst_mode_get", "tx_burst_mode_get"),
    "Power mgmt address monitor": op("get_monitor_addr"),
    "MTU update": op("mtu_set") + code(r"->min_mtu = ", r"->max_mtu = ",
                                       r"->max_rx_pktlen = "),
    "Buffer split on Rx": offload("RX", "BUFFER_SPLIT"),
    "Scattered Rx": op("rxq_info_get") + offload("RX", "SCATTER")
                    + code(r"->scattered_rx = "),
    "LRO": offload("RX", "TCP_LRO"),
    "TSO": offload("TX", "TCP_TSO"),
    "Promiscuous mode": op("promiscuous_enable", "promiscuous_disable"),
    "Allmulticast mode": op("allmulticast_enable", "allmulticast_disable"),
    "Unicast MAC filter": op("mac_addr_set", "mac_addr_add", "mac_addr_remove"),
    "Multicast MAC filter": op("set_mc_addr_list"),
    "RSS hash": offload("RX", "RSS_HASH"),
    "RSS key update": op("rss_hash_update", "rss_hash_conf_get"),
    "RSS reta update": op("reta_update", "reta_query"),
    "VLAN filter": op("vlan_filter_set") + offload("RX", "VLAN_FILTER"),
    "Flow control": op("flow_ctrl_get", "flow_ctrl_set"),
    "Rate limitation": op("set_queue_rate_limit"),
    "Congestion management": op("cman_info_get"),
    "Traffic manager": op("tm_ops_get"),
    "CRC offload": offload("RX", "KEEP_CRC"),
    "VLAN offload": op("vlan_offload_set", "vlan_strip_queue_set")
                    + offload("RX", "VLAN_STRIP") + offload("TX", "VLAN_INSERT"),
    "QinQ offload": offload("RX", "QINQ_STRIP"),
    "FEC": op("fec_get"),
    "IP reassembly": op("ip_reassembly_capability_get"),
    "L3 checksum offload": offload("RX", "IPV4_CKSUM") + offload("TX", "IPV4_CKSUM"),
    "L4 checksum offload": offload("RX", "TCP_CKSUM", "UDP_CKSUM")
                           + offload("TX", "TCP_CKSUM", "UDP_CKSUM"),
    "Timestamp offload": offload("RX", "TIMESTAMP"),
    "MACsec offload": offload("RX", "MACSEC_STRIP"),
    "Inner L3 checksum": offload("RX", "OUTER_IPV4_CKSUM"),
    "Inner L4 checksum": offload("RX", "OUTER_UDP_CKSUM"),
    "Packet type parsing": op("dev_supported_ptypes_get", "dev_ptypes_set"),
    "Timesync": op("timesync_enable"),
    "Rx descriptor status": field("rx_descriptor_status"),
    "Tx descriptor status": field("tx_descriptor_status"),
    "Tx queue count": field("tx_queue_count"),
    "Basic stats": op("stats_get", "stats_reset"),
    "Extended stats": op("xstats_get", "xstats_reset", "xstats_get_names",
                         "xstats_get_by_id", "xstats_get_names_by_id"),
    "Stats per queue": ops_code(r"->q_ipackets\[", r"->q_ibytes\[", r"->q_opackets\[",
                                r"->q_obytes\["),
    "FW version": op("fw_version_get"),
    "EEPROM dump": op("get_eeprom"),
    "Module EEPROM dump": op("get_module_info"),
    "Registers dump": op("get_reg"),
    "LED": op("dev_led_on"),
    "Multiprocess aware": code(r"\brte_eth_dev_attach_secondary\("),
    "Linux": build(r"\bis_linux\b"),
    "ARMv8": code(r"\bRTE_ARCH_ARM64\b"),
    "x86-64": code(r"\bRTE_ARCH_X86_64\b"),
}
DOCS = {"Usage doc": GUIDE}

# Implemented as far as the table above can tell, and yet no row: why.
NOT_CLAIMED = {
    "Tx queue count": "the default.ini of DPDK 22.11 does not know this row",
}

# Operations that no feature is about.
OTHER_OPS = {
    "dev_configure", "dev_start", "dev_stop", "dev_close", "dev_reset", "dev_infos_get",
    "dev_set_link_up", "dev_set_link_down", "rx_queue_setup", "rx_queue_release",
    "tx_queue_setup", "tx_queue_release", "rxq_info_get", "txq_info_get", "eth_dev_priv_dump",
    "recycle_rxq_info_get", "get_restore_flags",
}
OTHER_FIELDS = {
    "rx_pkt_burst", "tx_pkt_burst", "tx_pkt_prepare", "rx_queue_count", "dev_ops",
    "recycle_tx_mbufs_reuse", "recycle_rx_descriptors_refill",
}


def source(path):
    """Return a C file without its comments."""
    text = path.read_text(encoding="utf-8")
    return re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)


class Driver:
    """What the sources of the driver say."""

    def __init__(self):
        files = [p for p in sorted(DRIVER.glob("*.[ch]")) if p not in OPS_FILES]
        self.code = "\n".join(source(p) for p in files)
        self.build = (DRIVER / "meson.build").read_text(encoding="utf-8")
        self.ops_code = {p: source(p) for p in OPS_FILES}
        self.ops = {p: self._ops(text) for p, text in self.ops_code.items()}
        self.fields = {p: set(re.findall(r"\beth_dev->(\w+) = ", text))
                       for p, text in self.ops_code.items()}
        self.offloads = set()
        for macro in self._macros(r"BCM4908_[RT]X_(?:CKSUM_)?OFFLOADS"):
            self.offloads |= set(re.findall(r"RTE_ETH_[RT]X_OFFLOAD_\w+", macro))

    def _macros(self, name):
        """Return the bodies of the macros of a name."""
        return re.findall(rf"#define {name}\b((?:[^\n]*\\\n)*[^\n]*)", self.code)

    def _ops(self, text):
        """Return the operations of all ops tables in a file, with macros expanded."""
        ops = set()
        for table in re.findall(r"struct eth_dev_ops \w+ = \{(.*?)\n\};", text, flags=re.S):
            for macro in re.findall(r"\bBCM4908_\w+_OPS\b", table):
                for body in self._macros(macro):
                    table += body
            ops |= set(re.findall(r"\.(\w+) = ", table))
        return ops

    def lacks(self, kind, what):
        """Return where a piece of evidence is missing, or None."""
        if kind in ("op", "field", "ops_code"):
            for path in OPS_FILES:
                there = {"op": lambda p: what in self.ops[p],
                         "field": lambda p: what in self.fields[p],
                         "ops_code": lambda p: re.search(what, self.ops_code[p])}[kind](path)
                if not there:
                    return path.relative_to(TOP)
            return None
        there = {"code": lambda: re.search(what, self.code, flags=re.S),
                 "build": lambda: re.search(what, self.build),
                 "offload": lambda: what in self.offloads}[kind]()
        return None if there else DRIVER.relative_to(TOP)


def read_ini(path):
    """Return the rows of the [Features] section, in order."""
    config = configparser.ConfigParser()
    config.optionxform = str
    with open(path, encoding="utf-8") as f:
        config.read_file(f)
    return dict(config.items("Features"))


def check_rows(driver, claimed):
    """Yield what is claimed but not there, and the other way around."""
    for feature, value in claimed.items():
        if value not in ("Y", "P"):
            yield f"{feature}: {value!r} is neither Y nor P"
        if feature in DOCS:
            if not DOCS[feature].is_file():
                yield f"{feature}: claimed, but there is no {DOCS[feature].relative_to(TOP)}"
        elif feature not in FEATURES:
            yield f"{feature}: claimed, but nothing is known that would make it"
        else:
            for kind, what in FEATURES[feature]:
                where = driver.lacks(kind, what)
                if where is not None:
                    yield f"{feature}: claimed, but {where} has no {what}"
    for feature, evidence in FEATURES.items():
        complete = all(driver.lacks(kind, what) is None for kind, what in evidence)
        if feature in NOT_CLAIMED and feature in claimed:
            yield f"{feature}: claimed against the reason \"{NOT_CLAIMED[feature]}\""
        elif complete and feature not in claimed and feature not in NOT_CLAIMED:
            yield f"{feature}: implemented, but not claimed"
    for feature, path in DOCS.items():
        if path.is_file() and feature not in claimed:
            yield f"{feature}: {path.relative_to(TOP)} exists, but is not claimed"


def check_ops(driver):
    """Yield the operations that are not placed anywhere in this script."""
    evidence = [e for feature in FEATURES.values() for e in feature]
    known_ops = OTHER_OPS | {what for kind, what in evidence if kind == "op"}
    known_fields = OTHER_FIELDS | {what for kind, what in evidence if kind == "field"}
    for path in OPS_FILES:
        if not driver.ops[path]:
            yield f"{path.relative_to(TOP)}: no ops table was found"
        for name in sorted(driver.ops[path] - known_ops):
            yield f"{path.relative_to(TOP)}: operation {name} belongs to no feature known here"
        for name in sorted(driver.fields[path] - known_fields):
            yield f"{path.relative_to(TOP)}: field {name} belongs to no feature known here"


def check_default(claimed, dpdk):
    """Yield the rows that DPDK's own list does not have, or has in another order."""
    path = pathlib.Path(dpdk) / "doc" / "guides" / "nics" / "features" / "default.ini"
    known = list(read_ini(path))
    for feature in claimed:
        if feature not in known:
            yield f"{feature}: no row of {path}"
    rows = [f for f in claimed if f in known]
    if rows != sorted(rows, key=known.index):
        yield f"the rows of {INI.name} are not in the order of {path}"


def check_guide():
    """Yield the device arguments and statistics that the guide does not name."""
    guide = GUIDE.read_text(encoding="utf-8")
    literals = set(re.findall(r"``(\w+)``", guide))
    table = re.search(r"known_args\[\] = \{(.*?)\n\};", source(DRIVER / "bcm4908_ethdev.c"),
                      flags=re.S)
    args = re.findall(r'\{ "([\w-]+)",', table.group(1)) if table else []
    if not args:
        yield "no device arguments were found in the driver"
    for arg in args:
        if f"* - ``{arg}``" not in guide:
            yield f"{GUIDE.name}: no row for device argument {arg}"
    stats = re.findall(r'"([a-z]+_\w+)"', source(DRIVER / "bcm4908_stats.c"))
    if not stats:
        yield "no extended statistics were found in the driver"
    for name in stats:
        # Pairs stand in one row, without their prefix.
        if name not in literals and re.sub("^[rt]x_", "", name) not in literals:
            yield f"{GUIDE.name}: extended statistic {name} is not named"


def main():
    """Print what does not agree; return the exit status."""
    driver = Driver()
    claimed = read_ini(INI)
    problems = [*check_rows(driver, claimed), *check_ops(driver), *check_guide()]
    for dpdk in sys.argv[1:]:
        problems += check_default(claimed, dpdk)
    for problem in problems:
        print(problem)
    print(f"{len(claimed)} features claimed, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
