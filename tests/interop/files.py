"""Small URDF and MJCF files for the importer's tests."""

DOUBLE_PENDULUM_URDF = """<robot name="double pendulum">
  <link name="base"/>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/>
    <origin xyz="0.1 0.4 1.5" rpy="0 0.3 0"/><axis xyz="0 1 0"/>
    <limit lower="-2" upper="1.5" effort="12" velocity="5"/><dynamics damping="0.3"/>
  </joint>
  <link name="upper">
    <inertial><origin xyz="0.05 0.02 -0.3" rpy="0.4 0 0.2"/><mass value="1.4"/>
      <inertia ixx="0.05" iyy="0.06" izz="0.02" ixy="0.002" ixz="0.003" iyz="-0.001"/></inertial>
    <collision name="rod"><origin xyz="0 0 -0.3"/><geometry><cylinder radius="0.03" length="0.6"/></geometry></collision>
  </link>
  <joint name="elbow" type="continuous">
    <parent link="upper"/><child link="lower"/>
    <origin xyz="0 0 -0.6" rpy="1.5707963267948966 0 0"/><axis xyz="0 0 1"/>
  </joint>
  <link name="lower">
    <inertial><origin xyz="0.01 -0.25 0"/><mass value="0.7"/>
      <inertia ixx="0.03" iyy="0.01" izz="0.025" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision name="foot"><origin xyz="0 -0.5 0"/><geometry><sphere radius="0.05"/></geometry></collision>
  </link>
</robot>"""

CART_POLE_URDF = """<robot name="cart_pole">
  <link name="world_link"/>
  <joint name="slider" type="prismatic">
    <parent link="world_link"/><child link="cart"/><origin xyz="0 0 0.2" rpy="0 0 3.141592653589793"/><axis xyz="1 0 0"/>
    <limit lower="-1" upper="1" effort="20" velocity="9"/>
  </joint>
  <link name="cart">
    <inertial><mass value="2"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><box size="0.4 0.2 0.1"/></geometry></collision>
  </link>
  <joint name="plate" type="fixed"><parent link="cart"/><child link="mast"/><origin xyz="0 0 0.1" rpy="0 0.2 0"/></joint>
  <link name="mast">
    <inertial><origin xyz="0.1 0 0.05"/><mass value="0.5"/>
      <inertia ixx="0.01" iyy="0.02" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <joint name="hinge" type="continuous">
    <parent link="mast"/><child link="pole"/><origin xyz="0 0 0.1"/><axis xyz="0 -1 0"/>
  </joint>
  <link name="pole">
    <inertial><origin xyz="0 0 0.4"/><mass value="0.3"/>
      <inertia ixx="0.02" iyy="0.02" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
</robot>"""

DOUBLE_PENDULUM_MJCF = """<mujoco model="double pendulum"><compiler angle="radian"/><option gravity="0 0 -9.7"/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 0.1" friction="0.4"/>
    <body name="upper" pos="0.1 0.4 1.5" euler="0 0.3 0">
      <joint name="shoulder" axis="0 1 0" pos="0 0 0.05" damping="0.3" stiffness="4" springref="0.2" range="-2 1.5" limited="true"/>
      <inertial pos="0.05 0.02 -0.3" euler="0.4 0 0.2" mass="1.4" diaginertia="0.05 0.06 0.02"/>
      <geom name="rod" type="capsule" fromto="0 0 0 0 0 -0.6" size="0.03" friction="0.7"/>
      <body name="lower" pos="0 0 -0.6">
        <joint name="elbow" axis="0 -1 0" ref="0.3"/>
        <inertial pos="0.01 0 -0.25" mass="0.7" diaginertia="0.03 0.025 0.01"/>
        <geom name="foot" type="sphere" pos="0 0 -0.5" size="0.05" friction="0.2"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor name="drive" joint="shoulder" gear="3" ctrlrange="-2 4" ctrllimited="true"/>
    <motor name="elbow motor" joint="elbow" gear="-2" forcerange="-5 5" forcelimited="true"/></actuator>
</mujoco>"""

HOPPER_MJCF = """<mujoco><compiler angle="radian"/>
  <worldbody>
    <geom name="floor" type="plane" size="9 9 0.1" friction="0.9"/>
    <geom name="ramp" type="plane" size="9 9 0.1" pos="3 0 0" euler="0 -0.5 0" contype="2" conaffinity="2"/>
    <body name="torso" pos="0 0 1.25">
      <joint name="rootx" type="slide" axis="1 0 0"/><joint name="rootz" type="slide" axis="0 0 1" ref="1.25"/>
      <joint name="rooty" axis="0 1 0"/>
      <geom name="trunk" type="box" size="0.15 0.1 0.1" mass="3"/>
      <body name="thigh" pos="0 0 -0.1">
        <joint name="hip" axis="0 -1 0" damping="1"/>
        <geom name="thigh" type="capsule" fromto="0 0 0 0 0 -0.45" size="0.05" mass="2" contype="0" conaffinity="0"/>
        <body name="foot" pos="0 0 -0.9">
          <joint name="leg" type="slide" axis="0 0 -1" stiffness="500" springref="0.1"/>
          <geom name="heel" type="capsule" fromto="-0.1 0 0 0.2 0 0" size="0.06" mass="1"/>
          <geom name="wheel" type="cylinder" size="0.07 0.02" pos="0.3 0 0" euler="1.5707963267948966 0 0" mass="0.2" condim="3"/>
        </body>
      </body>
    </body>
  </worldbody>
  <keyframe><key name="crouch" qpos="0.5 1.1 0.2 -0.3 0.05"/></keyframe>
</mujoco>"""

CONNECT = (
    '<connect name="pivot" body1="rocker" body2="world" anchor="0 0 -0.6" solimp="0.9999 0.9999 0.001"/>'
)
FOUR_BAR_MJCF = f"""<mujoco><compiler angle="radian"/><option gravity="5 0 -9.81"/>
  <worldbody>
    <body name="crank"><joint name="a" axis="0 -1 0"/><inertial pos="0 0 0.2" mass="1" diaginertia="0.1 0.1 0.1"/>
      <body name="coupler" pos="0 0 0.4"><joint name="b" axis="0 -1 0"/>
        <inertial pos="0.5 0 0.1" mass="2" diaginertia="0.2 0.2 0.2"/>
        <body name="rocker" pos="1 0 0.2"><joint name="c" axis="0 -1 0"/>
          <inertial pos="0 0 -0.3" mass="1" diaginertia="0.1 0.1 0.1"/></body>
      </body></body>
  </worldbody>
  <equality>{CONNECT}</equality>
</mujoco>"""

FLOATING_MJCF = """<mujoco><compiler angle="radian"/>
  <worldbody><geom name="floor" type="plane" size="9 9 0.1"/>
    <body name="body" pos="0.2 0 0.5" euler="0 0.25 0"><freejoint name="root"/>
      <geom name="hull" type="box" size="0.3 0.1 0.1" mass="4"/>
      <body name="arm" pos="0.3 0 0"><joint name="arm" axis="0 1 0"/>
        <geom name="arm" type="capsule" fromto="0 0 0 0.4 0 0" size="0.03" mass="1"/></body>
    </body></worldbody>
  <keyframe><key name="lying" qpos="1 0 0.3 0.9950041652780258 0 0.09983341664682815 0 0.7"/></keyframe>
</mujoco>"""
