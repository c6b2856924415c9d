"""Robot files that ask for too much: refused before any library reads them."""

import pytest

from modecontrol.interop.xml_check import check_xml

ENTITIES = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]><robot name="&b;"/>'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (ENTITIES, "line 1: a document type"),
        ('<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><robot>&a;</robot>', "a document type"),
        ('<!DOCTYPE x SYSTEM "http://localhost/x.dtd"><robot/>', "a document type"),
        ("<a>" * 300 + "</a>" * 300, "more than 200 levels"),
        ("<robot>", "is no XML"),
        ("", "is no XML"),
        ('<a><b c="1 2 1e400"/></a>', r"b c is '1 2 1e400'; expected finite numbers"),
        ('<a><b c="nan"/></a>', "expected finite numbers"),
        ('<a><replicate count="1000000000"/></a>', "copies; expected 10,000 at most"),
        ('<a><composite count="1000 1000 1"/></a>', "copies"),
        ('<a><size memory="900G"/></a>', "size memory is '900G'"),
        ('<a><mesh file="/dev/zero"/></a>', "no file of a size that can be read"),
        ('<a><include file="robot.xml"/></a>', "includes itself"),
    ],
)
def test_what_is_refused(tmp_path, text, message):
    path = tmp_path / "robot.xml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        check_xml(path, "robot")


def test_what_is_read(tmp_path):
    path = tmp_path / "robot.xml"
    path.write_text(
        '<mujoco><size memory="1M"/><replicate count="5"/><key qpos="1 2"/></mujoco>', encoding="utf-8"
    )
    assert check_xml(path, "robot") == path
    with pytest.raises(ValueError, match="no file"):
        check_xml(tmp_path / "none.xml", "robot")
