"""Robots with many words of URDF and MJCF: stops, dry joints, armature, drives, tendons, closures, meshes, both sides."""

EVERYTHING_URDF = """<robot name="leg">
  <material name="grey"><color rgba="0.5 0.5 0.5 1"/></material>
  <link name="trunk">
    <inertial><origin xyz="0 0 0.1"/><mass value="3"/>
      <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.1"/></inertial>
    <visual><geometry><box size="0.2 0.1 0.2"/></geometry><material name="grey"/></visual>
    <collision name="hull"><geometry><box size="0.2 0.1 0.2"/></geometry></collision>
  </link>
  <link name="thigh">
    <inertial><origin xyz="0 0 -0.2" rpy="0 0.1 0"/><mass value="1"/>
      <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.01"/></inertial>
    <collision name="rod"><origin xyz="0 0 -0.2"/><geometry><cylinder radius="0.03" length="0.3"/></geometry></collision>
  </link>
  <link name="shank">
    <inertial><origin xyz="0 0 -0.2"/><mass value="0.5"/>
      <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.01"/></inertial>
    <collision name="foot"><origin xyz="0 0 -0.4"/><geometry><sphere radius="0.05"/></geometry></collision>
  </link>
  <link name="toe">
    <inertial><mass value="0.1"/><inertia ixx="0.001" ixy="0" ixz="0" iyy="0.002" iyz="0" izz="0.001"/></inertial>
    <collision name="foot tip"><geometry><cylinder radius="0.02" length="0.1"/></geometry></collision>
  </link>
  <joint name="hip" type="revolute"><parent link="trunk"/><child link="thigh"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="30" velocity="20"/><dynamics damping="0.1" friction="0.2"/></joint>
  <joint name="knee" type="revolute"><parent link="thigh"/><child link="shank"/><origin xyz="0 0 -0.4"/>
    <axis xyz="0 1 0"/><limit lower="-2" upper="0.1" effort="20" velocity="20"/></joint>
  <joint name="ankle" type="revolute"><parent link="shank"/><child link="toe"/><origin xyz="0 0 -0.4"/>
    <axis xyz="0 -1 0"/><limit lower="-1" upper="1" effort="5" velocity="20"/>
    <mimic joint="knee" multiplier="0.5" offset="0.01"/></joint>
</robot>"""
EVERYTHING_MJCF = """<mujoco model="everything"><compiler angle="radian"/>
  <option gravity="0 0 -9.81" density="1.2" viscosity="0.00002" wind="1 0 0.5"/>
  <default><geom friction="0.7 0.01 0.001" density="900"/><default class="leg">
    <joint damping="0.1" armature="0.01"/></default></default>
  <asset><mesh name="wedge" vertex="0 -.1 0  .2 -.1 0  0 -.1 .1  0 .1 0  .2 .1 0  0 .1 .1"/></asset>
  <worldbody>
    <geom name="floor" type="plane" size="9 9 0.1"/>
    <geom name="step" type="box" pos="2 0 0.1" size="0.5 1 0.1"/>
    <body name="trunk" pos="0 0 1.25"><freejoint name="root"/>
      <geom name="trunk" type="box" size="0.15 0.1 0.1" mass="3"/>
      <body name="thigh" pos="0 0 -0.1" childclass="leg">
        <joint name="hip" axis="0 1 0" range="-1 1" limited="true" frictionloss="0.2" stiffness="2" springref="0.1"/>
        <geom name="thigh" type="capsule" fromto="0 0 0 0 0 -0.45" size="0.05"/>
        <body name="shank" pos="0 0 -0.5">
          <joint name="knee" axis="0 1 0" range="-2 0.1" limited="true"/>
          <geom name="foot" type="sphere" pos="0 0 -0.4" size="0.05" friction="0.9"/>
          <site name="sole" pos="0 0 -0.4"/>
        </body>
      </body>
      <body name="tail" pos="-0.2 0 0"><joint name="tail" type="slide" axis="1 0 0" range="-0.1 0.1" limited="true"/>
        <geom name="tail" type="mesh" mesh="wedge" mass="0.2"/></body>
    </body>
    <body name="ball" pos="1.5 0 0.4"><joint name="bx" type="slide" axis="1 0 0"/><joint name="bz" type="slide" axis="0 0 1"/>
      <joint name="by" axis="0 1 0"/>
      <geom name="ball" type="cylinder" size="0.1 0.02" euler="1.5707963267948966 0 0" mass="0.3"/></body>
  </worldbody>
  <contact><exclude body1="trunk" body2="shank"/></contact>
  <equality><joint joint1="tail" joint2="hip" polycoef="0 0.1 0 0 0"/></equality>
  <actuator><motor name="hip" joint="hip" gear="30" ctrlrange="-1 1" ctrllimited="true"/>
    <motor name="knee" joint="knee" gear="20" forcerange="-5 5" forcelimited="true"/></actuator>
  <keyframe><key name="low" qpos="0 0 1.1 1 0 0 0 0.1 -0.2 0 0 0 0"/></keyframe>
</mujoco>"""
SIDES_MJCF = """<mujoco model="sides"><compiler angle="radian"/>
  <worldbody><geom name="floor" type="plane" size="9 9 0.1"/>
    <body name="hull" pos="0 0 0.6"><freejoint name="root"/><geom name="hull" type="box" size="0.2 0.1 0.05" mass="4"/>
      <body name="left_leg" pos="0 0.15 0"><joint name="left_hip" axis="0 1 0"/>
        <geom name="left_foot" type="sphere" pos="0 0 -0.5" size="0.05" mass="1"/></body>
      <body name="right_leg" pos="0 -0.15 0"><joint name="right_hip" axis="0 1 0"/>
        <geom name="right_foot" type="sphere" pos="0 0 -0.5" size="0.05" mass="1"/></body>
    </body></worldbody>
  <actuator><motor name="l" joint="left_hip"/><motor name="r" joint="right_hip"/></actuator>
</mujoco>"""
