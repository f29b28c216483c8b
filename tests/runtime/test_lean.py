"""Text for LLVM without what nobody reads."""
from llvmlite import binding, ir

from gradscribe.runtime.compiler.lean import FoldingBuilder, without_unread

I64 = ir.IntType(64)
RECORD = ir.LiteralStructType([I64, ir.ArrayType(I64, 2)])


def function(name="f"):
    module = ir.Module()
    made = ir.Function(module, ir.FunctionType(I64, [I64, I64, RECORD]), name)
    return module, made, FoldingBuilder(made.append_basic_block())


def opcodes(made):
    return [i.opname for block in made.blocks for i in block.instructions]


def checked(module):
    binding.initialize_native_target()
    binding.parse_assembly(str(module)).verify()


def test_what_was_put_in_comes_out():
    module, made, b = function()
    x, y, given = made.args
    pair = b.insert_value(b.insert_value(ir.Constant(RECORD.elements[1], ir.Undefined), x, 0), y, 1)
    record = b.insert_value(b.insert_value(given, x, 0), pair, 1)
    assert b.extract_value(record, 0) is x and b.extract_value(record, 1) is pair
    assert b.extract_value(record, [1, 1]) is y and b.extract_value(b.extract_value(record, 1), 0) is x
    other = b.insert_value(given, y, [1, 0])  # a part of a part
    assert b.extract_value(other, [1, 0]) is y
    whole = b.extract_value(other, 1)  # of which a part was put in: as it is
    assert whole.opname == "extractvalue" and whole.operands[0] is other
    assert b.extract_value(other, [1, 1]).operands[0] is given and b.extract_value(other, 0).operands[0] is given
    b.ret(b.extract_value(whole, 0))
    checked(module)
    without_unread(made)
    checked(module)
    assert opcodes(made) == ["insertvalue", "extractvalue", "extractvalue", "ret"]


def test_sums_with_zero():
    _, made, b = function()
    x, zero = made.args[0], I64(0)
    assert (b.add(x, zero) is x and b.add(zero, x) is x and b.sub(x, zero) is x and b.mul(x, zero) is zero
            and b.mul(zero, x) is zero)
    assert b.sub(zero, x).opname == "sub" and b.add(x, x).opname == "add"


def test_what_has_an_effect_stays():
    module, made, b = function()
    called = ir.Function(module, ir.FunctionType(I64, [I64]), "called")
    place = b.alloca(I64)
    unread = b.alloca(I64)
    b.store(b.mul(made.args[0], made.args[1]), place)
    b.call(called, [b.add(made.args[0], made.args[0])])
    b.xor(b.load(unread), made.args[1])  # and with it all that it was made of
    b.ret(made.args[0])
    without_unread(made)
    checked(module)
    assert opcodes(made) == ["alloca", "mul", "store", "add", "call", "ret"]


def test_values_that_go_round_a_loop():
    module, made, b = function()
    loop, end = made.append_basic_block(), made.append_basic_block()
    before = b.block
    b.branch(loop)
    b.position_at_end(loop)
    index, unread = b.phi(I64), b.phi(I64)
    index.add_incoming(I64(0), before)
    unread.add_incoming(I64(1), before)
    following = b.add(index, I64(1))
    index.add_incoming(following, loop)
    unread.add_incoming(index, loop)
    b.cbranch(b.icmp_signed("<", following, made.args[0]), loop, end)
    b.position_at_end(end)
    b.ret(index)
    without_unread(made)
    checked(module)
    assert opcodes(made) == ["br", "phi", "add", "icmp", "br", "ret"]
