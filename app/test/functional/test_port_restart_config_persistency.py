# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

"""What was set on a port holds when the port is stopped and started."""

import rig as rigs


def restarted(rig):
    """Stop and start port 0; return what it shows."""
    rig.t.cmd("port stop 0")
    rig.t.cmd("port start 0")
    return rigs.info(rig.t)


def test_port_configuration_persistence(make_rig):
    rig = make_rig()
    rig.t.cmd("port config mtu 0 1400")
    assert restarted(rig)["MTU"] == "1400"
    rig.t.cmd(f"mac_addr set 0 {rigs.PEERS[0]}")
    assert restarted(rig)["MAC address"].lower() == rigs.PEERS[0]
    for name, command in (("Promiscuous mode", "set promisc 0"),
                          ("Allmulticast mode", "set allmulti 0")):
        for state, shown in (("on", "enabled"), ("off", "disabled")):
            rig.t.cmd(f"{command} {state}")
            assert restarted(rig)[name] == shown
    # All of it is true of the traffic as well.
    rig.t.cmd("start")
    last = lambda mark: rigs.frame(rigs.PEERS[0], payload=mark)
    assert rig.lines.passes(rigs.frame(rigs.PEERS[0]), last=last)
    assert not rig.lines.passes(rigs.frame(rigs.MACS[0]), last=last)
    assert not rig.lines.passes(rigs.frame(rigs.PEERS[0], length=1400 + 14 + 9), last=last)


def test_promiscuous_and_all_multicast_persist_on(make_rig):
    rig = make_rig()
    rig.t.cmd("set promisc 0 off")
    rig.t.cmd("set allmulti 0 on")
    restarted(rig)
    rig.start()
    assert rig.lines.passes(rigs.frame("01:00:5e:00:00:01"))
    assert not rig.lines.passes(rigs.frame(rigs.STRANGER))
    rig.stop()
    rig.t.cmd("set promisc 0 on")
    restarted(rig)
    rig.start()
    assert rig.lines.passes(rigs.frame(rigs.STRANGER))
